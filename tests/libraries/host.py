# SPDX-License-Identifier: MIT
"""libraries/host.py - the same from Python, which loads its extensions with RTLD_LOCAL: host.py FIRST SECOND."""
import ctypes
import sys

NAMES = 'device make add add_on read synchronize release open close begin wait fail last_error listen'.split()


class Plugin:
    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.plugin_of_this.restype = ctypes.POINTER(ctypes.c_void_p * len(NAMES))
        table = library.plugin_of_this().contents
        address, number = ctypes.c_void_p, ctypes.c_int
        takes = {'make': [address, number], 'add': [address, number], 'read': [address, number]}
        for name, pointer in zip(NAMES, table):
            gives = address if name in ('device', 'make', 'open', 'begin') else number
            parameters = takes.get(name, [] if name in ('device', 'open', 'fail', 'last_error') else [address])
            setattr(self, name, ctypes.CFUNCTYPE(gives, *parameters)(pointer))


first, second = Plugin(sys.argv[1]), Plugin(sys.argv[2])
values = (ctypes.c_int * 1000)()
view = first.make(ctypes.addressof(values), len(values))
checks = {
    'both have the same accelerators': first.device() == second.device(),
    'a view goes through kernels of both': second.add(view, 2) == 0 and first.add(view, 3) == 0,
    'and comes home': second.wait(second.begin(view)) == 0 and second.release(view) == 0 and set(values) == {5},
}
for what, good in checks.items():
    if not good:
        print('FAILED  Python:', what)
print(f'{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed')
sys.exit(not all(checks.values()))
