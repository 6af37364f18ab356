#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Requests to ccsample view.

ask.py URL FILE: what the server does, a line each: "yes NAME", or what it did instead.
ask.py --page URL FILE: is the page the file? By the status.
"""
import socket
import sys
import time
import urllib.parse


def connect(place, host=None):
    return socket.create_connection((host or place.hostname, place.port), timeout=10)


def exchange(place, text):
    """Sends a whole request. Returns status, fields, body; status 0: there was no answer."""
    with connect(place) as connection:
        connection.sendall(text)
        return receive(connection)


def receive(connection):
    got = b""
    try:
        while True:
            more = connection.recv(1 << 16)
            if not more:
                break
            got += more
    except ConnectionError:
        pass
    head, _, body = got.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip()
    words = lines[0].split(" ")
    return int(words[1]) if len(words) > 1 else 0, fields, body


def request(place, method="GET", path=None, host=None, more=""):
    return ("%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (
        method, path or place.path, host or place.netloc, more)).encode()


def say(passed, name, instead=""):
    print("yes" if passed else "no:%s" % str(instead).replace(" ", "_")[:60], name)


def check_page(place, page):
    status, fields, body = exchange(place, request(place))
    say(status == 200 and body == page, "the page is the one of --html, byte for byte", status)
    wanted = {"cache-control": "no-store", "x-content-type-options": "nosniff",
              "referrer-policy": "no-referrer", "x-frame-options": "DENY",
              "content-type": "text/html; charset=utf-8", "content-length": str(len(page))}
    say(all(fields.get(name) == value for name, value in wanted.items()),
        "its fields: not kept, not guessed at, no referrer, in no frame", fields)
    policy = fields.get("content-security-policy", "")
    say("default-src 'none'" in policy and "frame-ancestors 'none'" in policy, "its policy", policy)
    status, fields, body = exchange(place, request(place, "HEAD"))
    say(status == 200 and not body and fields.get("content-length") == str(len(page)),
        "HEAD has the fields and no page", status)


def check_refusals(place):
    for name, wanted, text in (
            ("the root is not there", 404, request(place, path="/")),
            ("nor the icon that browsers ask for", 404, request(place, path="/favicon.ico")),
            ("nor the path with another last digit", 404,
             request(place, path=place.path[:-2] + ("0" if place.path[-2] != "0" else "1") + "/")),
            ("nor a path that goes back", 404, request(place, path=place.path + "../etc/passwd")),
            ("another name for this machine is refused", 403,
             request(place, host="evil.example:%d" % place.port)),
            ("... and another port", 403, request(place, host="127.0.0.1:%d" % (place.port ^ 1))),
            ("localhost is not", 200, request(place, host="localhost:%d" % place.port)),
            ("two hosts are refused", 400, request(place, more="Host: %s\r\n" % place.netloc)),
            ("POST is refused", 405, request(place, "POST", more="Content-Length: 2\r\n") + b"ab"),
            ("what is no request is refused", 400, b"\x16\x03\x01\r\n\r\n"),
            ("too long a request is refused", 431, request(place, more="A: %s\r\n" % ("a" * 9000)))):
        status = exchange(place, text)[0]
        say(status == wanted, name, status)


def check_crowd(place, page):
    silent = [connect(place) for _ in range(40)]
    slow = connect(place)
    slow.sendall(request(place))
    begun = time.monotonic()
    status, _, body = exchange(place, request(place))
    say(status == 200 and body == page and time.monotonic() - begun < 5,
        "40 silent connections and one that does not read: the page comes", status)
    halves = connect(place)
    whole = request(place)
    for at in range(0, len(whole), 7):
        halves.sendall(whole[at:at + 7])
        time.sleep(0.001)
    say(receive(halves)[2] == page, "a request in pieces")
    say(receive(slow)[2] == page, "the one that did not read has all of it, later")
    for connection in silent + [slow, halves]:
        connection.close()
    reset = connect(place)
    reset.sendall(request(place))
    reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    reset.close()
    say(exchange(place, request(place))[0] == 200, "after one that was cut off it goes on")


def check_others(place):
    try:
        connect(place, "127.0.0.2").close()
        say(False, "no other address of this machine is served", "connected")
    except OSError:
        say(True, "no other address of this machine is served")


def main():
    place = urllib.parse.urlsplit(sys.argv[-2])
    with open(sys.argv[-1], "rb") as file:
        page = file.read()
    if sys.argv[1] == "--page":
        sys.exit(exchange(place, request(place))[2] != page)
    check_page(place, page)
    check_refusals(place)
    check_crowd(place, page)
    check_others(place)


main()
