#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A page in headless Chromium, by the DevTools protocol over pipes.

browser.py CHROMIUM PROFILE PAGE: lines of standard input are JavaScript expressions, whose values
are printed as JSON, one a line. A page is a file or an address of HTTP. A line that begins with @
is for the browser:

	@open PAGE	goes on in another page
	@file FILE	an expression in a file
	@width PIXELS	of the window
	@dark, @print	how the page is shown from here on
	@key NAME	a key is pressed
	@type TEXT	text is typed
	@pdf FILE	prints the page
	@picture FILE	the whole page as PNG

The last lines are what the console said, "console: TEXT", and what was asked of the network
besides the pages, "request: URL".
"""
import base64
import json
import os
import subprocess
import sys


class Browser:
    def __init__(self, program, profile):
        ours_out, theirs_in = os.pipe()[::-1]
        theirs_out, ours_in = os.pipe()[::-1]
        # Chromium reads commands from descriptor 3 and answers on 4.
        def arrange():
            os.dup2(os.dup(theirs_in), 13)
            os.dup2(theirs_out, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
             "--user-data-dir=" + profile, "--window-size=1200,900", "about:blank"],
            preexec_fn=arrange, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output = ours_in, ours_out
        self.rest, self.number = b"", 0
        self.events, self.console, self.requests, self.pages = [], [], [], []
        self.session = None

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.input, 1 << 16)
            if not more:
                raise SystemExit("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        self.take(message)
        return message

    def take(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(a.get("value", a.get("description")))
                                         for a in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.console.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        if method:
            self.events.append(method)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def open(self, page):
        page = page if page.startswith("http://") else "file://" + os.path.abspath(page)
        self.pages.append(page)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Runtime", "Log", "Page", "Network":
            self.call(domain + ".enable")
        self.events.clear()
        self.call("Page.navigate", url=page)
        while "Page.loadEventFired" not in self.events:
            self.receive()

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            return {"thrown": answer["exceptionDetails"].get("exception", {}).get("description")}
        return answer["result"].get("value")

    def command(self, word, rest):
        if word == "@open":
            self.session = None
            self.open(rest)
        elif word == "@file":
            with open(rest) as file:
                print(json.dumps(self.evaluate(file.read())))
        elif word == "@width":
            self.call("Emulation.setDeviceMetricsOverride", width=int(rest), height=900,
                      deviceScaleFactor=1, mobile=False)
        elif word == "@dark":
            self.call("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": "dark"}])
        elif word == "@print":
            self.call("Emulation.setEmulatedMedia", media="print")
        elif word == "@key":
            code = {"Tab": 9, "Enter": 13, "ArrowRight": 39, "ArrowDown": 40, " ": 32}.get(rest, 0)
            text = {"Enter": "\r"}.get(rest)
            self.call("Input.dispatchKeyEvent", type="keyDown", key=rest, code=rest,
                      windowsVirtualKeyCode=code, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", key=rest, code=rest,
                      windowsVirtualKeyCode=code)
        elif word == "@type":
            self.call("Input.insertText", text=rest)
        elif word == "@pdf":
            self.write(rest, self.call("Page.printToPDF", printBackground=True)["data"])
        elif word == "@picture":
            self.write(rest, self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])
        else:
            raise SystemExit("unknown: " + word)

    @staticmethod
    def write(path, data):
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()


def main():
    program, profile, page = sys.argv[1:]
    browser = Browser(program, profile)
    try:
        browser.open(page)
        for line in sys.stdin:
            line = line.strip()
            if line.startswith("@"):
                browser.command(*(line.split(" ", 1) + [""])[:2])
            elif line:
                print(json.dumps(browser.evaluate(line)))
        for text in browser.console:
            print("console: " + text)
        for url in browser.requests:
            if url not in browser.pages:
                print("request: " + url)
    finally:
        browser.close()


main()
