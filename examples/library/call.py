# SPDX-License-Identifier: MIT
"""call.py - calls the library from Python and checks what it gives: call.py [--plain]. With --plain, or where NumPy is
missing, arrays are those of the module array. Ends with OK, and status 0."""
import array
import sys
import threading

import fields

try:
    numpy = None if '--plain' in sys.argv else __import__('numpy')
except ImportError:
    numpy = None


def numbers(values):
    return numpy.array(values, numpy.float32) if numpy else array.array('f', values)


def raises(kind, text, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        return text in str(error)
    return False


def blurred(rows, cols, values):
    def at(i, j):
        return values[min(max(i, 0), rows - 1) * cols + min(max(j, 0), cols - 1)]

    return [(at(i, j) + at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)) / 5
            for i in range(rows) for j in range(cols)]


def scrambled(count, seed=1):
    return [float((i * 7919 + seed) % 10007) for i in range(count)]


def many_threads():
    """Each thread has arrays of its own, and errors of its own; ctypes lets others run meanwhile."""
    good = []

    def work(seed):
        mine = numbers(scrambled(2000, seed))
        fields.sort(mine)
        refused = raises(TypeError, '32-bit', fields.sort, b'1234')
        good.append(refused and list(mine) == sorted(scrambled(2000, seed)))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return good == [True] * 4


N, ROWS, COLS = 5000, 9, 13
x, y = numbers(range(N)), numbers([1] * N)
same_memory = memoryview(y)
fields.saxpy(2, x, y)
unsorted = numbers(scrambled(N))
fields.sort(unsorted)
start = scrambled(ROWS * COLS)
field, result = fields.Field(ROWS, COLS, numbers(start)), numbers([0] * ROWS * COLS)
field.blur(2)
field.read(result)
checks = {
    'y += 2 x': list(y) == [2.0 * i + 1 for i in range(N)],
    'in the memory that was given': same_memory[N - 1] == 2.0 * N - 1,
    'a sort': list(unsorted) == sorted(scrambled(N)),
    'a field': all(abs(a - b) < 0.01 for a, b in zip(result, blurred(ROWS, COLS, blurred(ROWS, COLS, start)))),
    'an error has its text': raises(fields.Error, 'place for 7', field.read, numbers([0] * 7)),
    'arrays that overlap': raises(fields.Error, 'overlap', fields.saxpy, 1, y, y),
    'doubles': raises(TypeError, '32-bit', fields.sort, array.array('d', [1])),
    'a good call after errors': fields.sort(result) is None and list(result) == sorted(result),
    'threads': many_threads(),
}
if numpy:
    checks['columns, which have gaps'] = raises(TypeError, 'gaps', fields.sort, numpy.zeros((4, 4), numpy.float32)[:, 1])
for what, good in checks.items():
    if not good:
        print('wrong:', what)
print(f'Python {sys.version.split()[0]}, {"NumPy " + numpy.__version__ if numpy else "module array"}: '
      f'{len(checks)} checks on {fields.device()}')
if not all(checks.values()):
    sys.exit(1)
print('OK')
