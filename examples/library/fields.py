# SPDX-License-Identifier: MIT
"""fields.py - the library from Python, by ctypes. Arrays are NumPy's, of float32, or the module array's, of type 'f';
both are handed over where they are, without a copy. FIELDS_LIBRARY names the library, libfields.so beside this file
by default. call.py uses it."""
import ctypes
import os
import sys
import weakref

_name = 'fields.dll' if sys.platform == 'win32' else 'libfields.so'
_library = ctypes.CDLL(os.environ.get('FIELDS_LIBRARY', os.path.join(os.path.dirname(os.path.abspath(__file__)), _name)))


def _declare(name, gives, *takes):
    function = getattr(_library, name)
    function.restype, function.argtypes = gives, takes
    return function


_array, _handle, _status, _count = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
_error = _declare('fields_error', ctypes.c_char_p)
_device = _declare('fields_device', ctypes.c_char_p)
_saxpy = _declare('fields_saxpy', _status, _count, ctypes.c_float, _array, _array)
_sort = _declare('fields_sort', _status, _count, _array)
_create = _declare('fields_create', _handle, ctypes.c_int32, ctypes.c_int32, _array)
_blur = _declare('fields_blur', _status, _handle, ctypes.c_int32)
_read = _declare('fields_read', _status, _handle, _count, _array)
_release = _declare('fields_release', None, _handle)


class Error(RuntimeError):
    """What fields_error() says."""


def _check(status):
    if status:
        raise MemoryError(_error().decode()) if status == 2 else Error(_error().decode())


def _memory(values, written):
    """How many numbers an array has, and where. What would need a copy is refused: a copy made here would be written
    in its place, or cost more than the call."""
    view = memoryview(values)
    if view.format != 'f' or not view.c_contiguous or (written and view.readonly):
        raise TypeError('an array of 32-bit floats, without gaps' + (' and not read-only' if written else ''))
    count = view.nbytes // 4
    if hasattr(values, '__array_interface__'):
        return count, values.__array_interface__['data'][0]
    return count, (ctypes.c_float * count).from_buffer(values)  # holds the array while the call lasts


def device():
    return _device().decode()


def saxpy(a, x, y):
    """y += a * x"""
    (count, from_x), (count_y, to_y) = _memory(x, False), _memory(y, True)
    if count != count_y:
        raise ValueError(f'{count} and {count_y} numbers')
    _check(_saxpy(count, a, from_x, to_y))


def sort(values):
    _check(_sort(*_memory(values, True)))


class Field:
    """rows * cols numbers that stay where kernels run, until the last name of the field is gone."""

    def __init__(self, rows, cols, values):
        count, memory = _memory(values, False)
        if count != rows * cols:
            raise ValueError(f'{count} numbers for {rows} rows of {cols}')
        self._handle = _create(rows, cols, memory)
        if not self._handle:
            raise Error(_error().decode())
        weakref.finalize(self, _release, self._handle)

    def blur(self, times=1):
        _check(_blur(self._handle, times))

    def read(self, into):
        _check(_read(self._handle, *_memory(into, True)))
