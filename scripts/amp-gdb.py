# SPDX-License-Identifier: MIT
#
# For gdb: views and arrays are printed as their elements, and `locals` prints each variable of a kernel's body once, without the
# library's own names.
#
#     (gdb) source scripts/amp-gdb.py          after make install: source /usr/local/share/amp/amp-gdb.py
import re

import gdb
import gdb.printing


class View:
    """float [4][3] at 0x...: its elements in host memory, in the order of its indexes"""

    def __init__(self, value):
        self.value = value
        extent = value["extent"]["v"]
        self.extent = [int(extent[i]) for i in range(extent.type.range()[1] + 1)]
        stride = value["stride"]["v"]
        self.stride = [int(stride[i]) for i in range(stride.type.range()[1] + 1)]

    def to_string(self):
        shape = "".join("[%d]" % n for n in self.extent)
        data = int(self.value["data"])
        return "%s %s %s" % (self.value["data"].type.target(), shape, "at %#x" % data if data else "without host memory")

    def children(self):
        if not int(self.value["data"]) or min(self.extent) <= 0:
            return
        index = [0] * len(self.extent)
        most = gdb.parameter("print elements") or 1000
        for count in range(most):
            offset = sum(i * s for i, s in zip(index, self.stride + [1] * (len(index) - len(self.stride))))
            yield "[%s]" % "][".join(map(str, index)), self.value["data"][offset]
            axis = len(index) - 1
            while axis >= 0 and index[axis] + 1 == self.extent[axis]:
                index[axis] = 0
                axis -= 1
            if axis < 0:
                return
            index[axis] += 1

    def display_hint(self):
        return "array"


class Printers(gdb.printing.PrettyPrinter):
    form = re.compile(r"^amp_(const_)?array_(view_)?\w+_\d+$")

    def __call__(self, value):
        kind = value.type.strip_typedefs()
        if kind.code != gdb.TYPE_CODE_STRUCT or not self.form.match(kind.tag or value.type.name or ""):
            return None
        names = [f.name for f in kind.fields()]
        return View(value) if all(n in names for n in ("data", "extent", "stride")) else None


class Locals(gdb.Command):
    """The variables of this function, from the innermost block on: each name once, without the library's own."""

    def __init__(self):
        super().__init__("locals", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        frame = gdb.selected_frame()
        block, seen = frame.block(), set()
        while block and not block.is_global and not block.is_static:
            for symbol in block:
                if not (symbol.is_variable or symbol.is_argument) or symbol.name in seen:
                    continue
                seen.add(symbol.name)
                value = symbol.value(frame)
                is_function = value.type.code == gdb.TYPE_CODE_PTR and value.type.target().code == gdb.TYPE_CODE_FUNC
                if re.match(r"amp_|AMP_|__", symbol.name) or is_function:
                    continue
                print("%s = %s" % (symbol.name, value.format_string()))
            if block.function:
                break
            block = block.superblock


gdb.printing.register_pretty_printer(gdb.current_objfile(), Printers("amp.h"), replace=True)
Locals()
