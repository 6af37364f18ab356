# SPDX-License-Identifier: GPL-2.0-only
"""mutate.py IN OUT SEED: a copy of an ELF file whose debug information and frames have bytes
changed, drawn from SEED; addresses, symbols and code are what they were.
"""
import random
import struct
import sys

data = bytearray(open(sys.argv[1], "rb").read())
draw = random.Random(int(sys.argv[3]))
offset, = struct.unpack_from("<Q", data, 0x28)
size, count, names = struct.unpack_from("<HHH", data, 0x3A)


def section(number):
    return struct.unpack_from("<IIQQQQ", data, offset + number * size)


strings = section(names)[4]
for number in range(count):
    name, _, _, _, at, length = section(number)
    end = data.index(0, strings + name)
    text = data[strings + name:end].decode()
    if length and (text.startswith(".debug_") or text == ".eh_frame"):
        for _ in range(draw.choice([1, 4, 16, 64])):
            place = at + draw.randrange(length)
            data[place] = draw.choice([0, 0xFF, 0x7F, 0x80, draw.randrange(256)])
open(sys.argv[2], "wb").write(data)
