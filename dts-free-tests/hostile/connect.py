# SPDX-License-Identifier: GPL-2.0-only
"""connect.py TIMES DIR: connects to each socket below DIR that /proc/net/unix names, TIMES times;
prints how many connections there were. connect.py -l PATH: listens for one connection, prints how
many bytes came.
"""
import os
import socket
import sys

if sys.argv[1] == "-l":
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.bind(sys.argv[2])
    os.chmod(sys.argv[2], 0o777)
    server.listen(8)
    print("ready", flush=True)
    server.settimeout(20)
    size = 0
    try:
        client, _ = server.accept()
        client.settimeout(5)
        while got := client.recv(1 << 16):
            size += len(got)
    except OSError:
        pass
    print(size)
    sys.exit()

made = 0
for line in open("/proc/net/unix"):
    name = line.split(" ")[-1].strip()
    if not name.startswith(sys.argv[2]):
        continue
    for _ in range(int(sys.argv[1])):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            client.connect(name)
            made += 1
        except OSError:
            break
        client.close()
print(made)
