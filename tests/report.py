#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Also tests amp/api/report.h, amp/base/os_report.h, amp/report/collect.h, amp/report/operations.h,
# amp/report/page.h, amp/report/peak.h, amp/report/report.h, amp/report/write.h.
"""The pages of AMP_REPORT in a headless Chromium: their counts are the library's, nothing is reported on the console,
zooming works. By turns of $AMP_TEST_TURN they have two of four sizes. $CC compiles tests/report/*.c, $BUILD/report keeps the
pages and screenshots, $EXAMPLES has the examples.
What is missing is named and skipped. The last line is "N passed, N failed, N skipped".
--picture writes docs/pictures/report.png instead.
"""
import base64
import functools
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.chdir(ROOT)
sys.path.insert(0, os.path.join(ROOT, 'tests', 'report'))
import browser  # noqa: E402

WORK = os.path.abspath(os.path.join(os.environ.get('BUILD', 'build'), 'report'))
CC = os.environ.get('CC', 'cc').split()
counts = {'passed': 0, 'failed': 0, 'skipped': 0}
WARNINGS = '-std=c11 -Wall -Wextra -Wpedantic -Woverlength-strings -Wshadow -Wconversion -Werror'.split()


def check(good, what):
    counts['passed' if good else 'failed'] += 1
    if not good:
        print('FAILED  ' + what)


def skip(what, why):
    counts['skipped'] += 1
    print('SKIPPED %s: %s' % (what, why))


@functools.lru_cache(maxsize=None)
def compiled(name, backend, *options):
    """A program of tests/report."""
    out = os.path.join(WORK, name + '_' + backend + ''.join(options).replace('/', '_'))
    flags = ['-DAMP_TOOLS'] if '-DAMP_TOOLS=0' not in options else []
    flags += ['-DAMP_BACKEND_OPENCL'] if backend == 'opencl' else []
    subprocess.run(CC + WARNINGS + ['-O0', '-fopenmp', *flags, *options, 'tests/report/%s.c' % name, '-o', out,
                                    '-lm', '-ldl'], check=True)
    return out


def run(command, page, folder=None, **variables):
    path = os.path.join(WORK, page)
    if os.path.exists(path):
        os.remove(path)
    env = dict(os.environ, AMP_REPORT=path, **{'AMP_LOG': 'error', **variables})
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True), path


def data_of(path):
    """The JSON of a page."""
    with open(path, encoding='utf-8') as file:
        found = re.search(r'id="data">(.*?)</script>', file.read(), re.S)
        return json.loads(found.group(1)) if found else {'kernels': []}


def line_of(source, word):
    with open(source, encoding='utf-8') as file:
        return next(n for n, line in enumerate(file, 1) if word in line)


def numbers(text, *names):
    return [int(re.search(name + r' (\d+)', text).group(1)) for name in names]


# Elements wider than their place, also where they can be scrolled; sources have long lines.
CUT = ('[...document.querySelectorAll("body *:not(pre)")].filter(e => getComputedStyle(e).display !== "inline" &&'
       'e.scrollWidth > e.clientWidth + 1).map(e => e.tagName + " " + e.className + " in " +'
       '(e.closest("section") || {}).id + ": " + e.innerText.slice(0, 40))')


def screenshots(page, path, name):
    sizes = ((1000, False), (1900, True)), ((1000, True), (1900, False))
    turn = os.environ.get('AMP_TEST_TURN')
    for width, dark in sizes[int(turn) % 2] if turn else sizes[0] + sizes[1]:
        page.size(width, dark=dark)
        page.open(path)
        page.picture(os.path.join(WORK, '%s-%d-%s.png' % (name, width, 'dark' if dark else 'light')))
        wide = page.value('document.documentElement.scrollWidth')
        check(wide <= width, '%s at %d pixels: its contents are %s wide' % (name, width, wide))
        cut = page.value(CUT)
        check(not cut, '%s at %d pixels: contents are cut in %s' % (name, width, cut))
        check(not page.errors, '%s: the console has %s' % (name, page.errors))


def places(page, path):
    """A narrow page breaks the name of a place after a folder only."""
    page.size(1000)
    page.open(path)
    broken = page.value('[...document.querySelectorAll(".place")].filter(p => { const r = document.createRange();'
                        'r.selectNode(p.lastChild); return new Set([...r.getClientRects()].map(b => b.top)).size > 1; })'
                        '.map(p => p.innerText)')
    check(not broken, 'places broken within the file or its line: %s' % broken)


def with_data(path, name, data):
    """That page with other data."""
    other = path.replace('.html', '-%s.html' % name)
    with open(path, encoding='utf-8') as file:
        head, rest = file.read().split('id="data">', 1)
    with open(other, 'w', encoding='utf-8') as file:
        file.write(head + 'id="data">' + json.dumps(data).replace('<', '\\u003c') + rest[rest.index('</script>'):])
    return other


def found_in(page, path):
    page.open(path)
    return page.value('[...document.querySelectorAll("#findings li")].map(x => x.innerText)')


def cached(page, path):
    """A kernel that moves more than a copy does reads from a cache: the page says so, and names it by its time."""
    data = data_of(path)
    for device in data['devices']:
        device['copy'] = 1e-6
    for kernel in data['kernels']:
        kernel.update(bound=1, busy=1)
    longest = max(data['kernels'], key=lambda k: k['time'])
    longest['reasons'] = []
    for transfer in data['transfers']:
        transfer['time'] = longest['time'] // 100
    data['time'] = data['measuring'] + sum(b['time'] for b in data['builds']) + 2 * longest['time']
    found = found_in(page, with_data(path, 'cached', data))
    whys = [text for text in found if 'of what this device copies' in text]
    check(whys and all('come from a cache' in why for why in whys), 'beyond a copy: %s' % whys)
    check(found and longest['site'][0] + ' takes ' in found[0] and re.match(r'takes [\d.]+ (s|ms|µs)\n', found[0]),
          'beyond a copy: the first finding is %s' % found[:1])


def first_lines(page, path):
    """A launch of several lines is shown by its first one, whichever the compiler names."""
    data = data_of(path)
    kernel = next(k for k in data['kernels'] if k['site'][0] == 'gather')
    others = [t['cause'] for t in data['transfers']] + [n[1] for n in data['names']] + [b['site'] for b in data['builds']]
    line, last = kernel['site'][2], kernel['first'] + 1
    for site in [k['site'] for k in data['kernels']] + others:
        if site and site[2] == line:
            site[2] = last
    page.open(with_data(path, 'lines', data))
    shown = page.value('[...document.querySelectorAll(".place")].map(p => p.innerText)')
    check('report/slow.c:%d' % kernel['first'] in shown and 'report/slow.c:%d' % last not in shown, 'lines: %s' % shown)


def unprepared(page, path):
    """What a driver does in a launch that waits for its compilation is no part of the time of which kernels have a share."""
    data = data_of(path)
    name = next(n for n, (text, site) in enumerate(data['names']) if site and text == 'gather')
    kernel = next(k for k in data['kernels'] if k['site'][0] == 'gather')
    kernel.update(time=50000000, count=1, reasons=[], bound=1)
    build = dict(data['builds'][0], begin=1000000, time=400000000)
    data.update(time=1000000000, measuring=0, builds=[build], transfers=[], kernels=[kernel],
                lanes=[[1, 1, -1], [0, 1, kernel['device']]],
                events=[[0, 1, name, 0, 900000000], [1, 0, name, 910000000, 50000000]])
    found = found_in(page, with_data(path, 'unprepared', data))
    check(len(found) == 1 and 'gather takes 50 % of the time' in found[0], 'the first launch: %s' % found)
    kernel.update(count=10000)
    found = found_in(page, with_data(path, 'short', data))
    check(len(found) == 1 and 'gather takes 50 % of the time, and is a short launch' in found[0] and
          'replay' in found[0], 'many short launches: %s' % found)


def one_way(page, path):
    """What is copied one way has the line of who needs it there, and how often that was."""
    data = data_of(path)
    site = data['kernels'][0]['site']
    for to_device, words in ((0, ['is copied to the host each time (5 times)', 'The host reads it in this line', 'host.c:7']),
                             (1, ['is copied to the device each time (5 times)', 'needs it on the device', 'slow.c'])):
        moved = [dict(name='flow', function='step', bytes=4096, time=10**9, toDevice=way, count=5 if way == to_device else 1,
                      cause=site, host=None if way else ['', 'host.c', 7, '']) for way in (0, 1)]
        found = found_in(page, with_data(path, 'one-way', dict(data, transfers=moved)))
        check(found and all(word in found[0] for word in words), 'copied one way: %s' % found[:1])


def on_a_group(page, path):
    """A kernel's share of the time is that in which one of its devices runs it."""
    data = data_of(path)
    number = next(n for n, (text, site) in enumerate(data['names']) if site and text == 'gather')
    kernel = next(k for k in data['kernels'] if k['site'][0] == 'gather')
    kernel.update(time=60000000, count=1, reasons=[])
    data.update(time=1000000000, measuring=0, builds=[], transfers=[], kernels=[kernel, dict(kernel, device=0)],
                lanes=[[0, 1, kernel['device']], [0, 2, 0]])
    kernel['reasons'] = [['short', 'rarely used']]
    data['events'] = [[0, 0, number, 10000000, 60000000]]
    data['kernels'] = [dict(kernel, time=1000000), dict(kernel, device=0, reasons=[['gather', '']])]
    found = found_in(page, with_data(path, 'group', data))
    check(found and 'gathers' in found[0] and 'short' not in found[0], 'causes on a group: %s' % found)
    data['kernels'] = [dict(kernel, reasons=[]), dict(kernel, device=0, reasons=[])]
    for begin, words in ((500000000, 'gather takes 12 % of the time'), (20000000, '')):
        data['events'] = [[0, 0, number, 10000000, 60000000], [1, 0, number, begin, 60000000]]
        found = found_in(page, with_data(path, 'group', data))
        check(len(found) == (words != '') and all(words in text and 'on 2 devices' in text for text in found),
              'on a group: %s' % found)


def zooms(page, path, name):
    """By keys and by the wheel the timeline shows a part, and all again."""
    page.size(1200)
    page.open(path)
    span = '(d => d.to - d.from)(document.getElementById("timeline").dataset)'
    whole = page.value(span)
    page.value('document.getElementById("timeline").focus()')
    page.key('+')
    check(abs(page.value(span) - whole / 2) < 1, name + ': the key + does not halve what the timeline shows')
    before = page.value('+document.getElementById("timeline").dataset.from')
    page.key('ArrowRight')
    check(page.value('+document.getElementById("timeline").dataset.from') > before, name + ': the arrow does not move it')
    page.key('0')
    check(page.value(span) == whole, name + ': the key 0 does not show all')
    box = page.value('(r => [r.x + r.width / 2, r.y + 40])(document.getElementById("timeline").getBoundingClientRect())')
    page.value('document.getElementById("timeline").scrollIntoView({ block: "center" })')
    box = page.value('(r => [r.x + r.width / 2, r.y + 40])(document.getElementById("timeline").getBoundingClientRect())')
    page.wheel(*box, -300)
    page.value('new Promise(requestAnimationFrame)')
    check(page.value(span) < whole, name + ': the wheel does not zoom')


def slow(page):
    program = compiled('slow', 'opencl')
    done, path = run([program], 'slow.html', AMP_ACCELERATOR='opencl', AMP_FORCE_COPIES='1', AMP_CACHE='0')
    check(done.returncode == 0 and not done.stderr, 'slow ends with %d: %s' % (done.returncode, done.stderr))
    screenshots(page, path, 'slow')
    zooms(page, path, 'slow')
    places(page, path)
    cached(page, path)
    on_a_group(page, path)
    first_lines(page, path)
    one_way(page, path)
    unprepared(page, path)
    aborted, other = run([program, 'abort'], 'abort.html', AMP_ACCELERATOR='opencl', AMP_FORCE_COPIES='1')
    check(aborted.returncode == -signal.SIGABRT and len(data_of(other)['kernels']) == 4,
          'abort, of which a driver may have taken the signal: %d' % aborted.returncode)
    page.open(path)
    shown = page.value('({...document.body.dataset})')
    launches, to_device, to_host = numbers(done.stdout, 'launches', 'to_device', 'to_host')
    check(int(shown['launches']) == launches, 'the page counts %s launches of %d' % (shown['launches'], launches))
    check(int(shown['toDevice']) == to_device, 'to devices: %s, not %d' % (shown['toDevice'], to_device))
    named = page.value('[...document.querySelectorAll("section[id]")].map(s => s.id).join(" ")')
    check(named == 'findings lanes kernels transfers memory roofline builds environment', 'the parts are ' + named)
    check(int(shown['toHost']) == to_host, 'to the host: %s, not %d' % (shown['toHost'], to_host))
    first = page.value('[...document.querySelectorAll("#findings > .findings > li, #findings details li")]'
                       '.slice(0, 3).map(x => x.innerText)')
    for cause, words in (('transfer', 'x in advance goes to the device and back (12 times)'), ('stride', 'reads with a stride'),
                         ('threads', 'starts only 64 threads')):
        line = 'slow.c:%d' % (line_of('tests/report/slow.c', 'planted: ' + cause) + 1)
        check(any(words in text and line in text for text in first),
              'the first three do not name "%s" with %s:\n%s' % (words, line, '\n'.join(first)))
    host = 'The host accesses it in report/slow.c:%d' % line_of('tests/report/slow.c', 'AMP_AT(x, steps')
    check(any(host in text for text in first), 'no text has "%s":\n%s' % (host, '\n'.join(first)))
    added = next(k for k in data_of(path)['kernels'] if k['site'][0] == 'add_up')
    check((added['operations'], added['bound']) == (1024 * 1024 // 64, 0), 'operations of add_up: %s' % added['operations'])
    page.value('void (CanvasRenderingContext2D.prototype.fillText = t => { (window.drawn ||= []).push(t); })')
    page.value('void dispatchEvent(new Event("resize"))')
    page.value('new Promise(requestAnimationFrame)')
    lines = ['advance:%d' % (line_of('tests/report/slow.c', 'planted: transfer') + n) for n in (1, 2)]
    check(set(lines) <= set(page.value('window.drawn || []')), 'the roofline does not distinguish the kernels of a function')
    used = {k['device'] for k in data_of(path)['kernels']}
    rates = [data_of(path)['devices'][n]['arithmetic'] for n in used]
    check(used and min(rates) > 0, 'the arithmetic rates are %s' % rates)
    for button, word in (('source', 'AMP_PARALLEL_FOR_EACH'), ('generated program', '__kernel')):
        page.value('[...document.querySelectorAll("#kernels button")].find(b => b.innerText === "%s").click()' % button)
        check(word in page.value('document.querySelector("#kernels pre:last-child").innerText'),
              'the button "%s" does not show "%s"' % (button, word))


def blur(page):
    """A kernel that takes most of the time is named first, also where the cause is its arithmetic or not known."""
    source = 'tests/report/blur.c'
    lines = {word: 'blur.c:%d' % (line_of(source, 'planted: ' + word) + 1) for word in ('arithmetic', 'small')}
    for backend in ('cpu', 'opencl'):
        done, path = run([compiled('blur', backend)], 'blur-%s.html' % backend, AMP_ACCELERATOR=backend,
                         AMP_FORCE_COPIES='1', AMP_CACHE='0')
        check(done.returncode == 0, 'blur on %s ends with %d: %s' % (backend, done.returncode, done.stderr))
        page.open(path)
        found = page.value('[...document.querySelectorAll("#findings > .findings > li")].map(x => x.innerText)')
        kernel = next(k for k in data_of(path)['kernels'] if k['site'][0] == 'blur')
        first = found[0] if found else ''
        for words in ('up to ', 'blur takes', ' % of the time, and is limited by arithmetic', lines['arithmetic'],
                      'two passes', 'amp_fast_', 'smaller types'):
            check(words in first, 'blur on %s: the first finding has no "%s": %s' % (backend, words, first))
        check(kernel['bound'] == 1 and 'operations a second' not in first, 'a lower bound of operations: ' + first)
        check([r[0] for r in kernel['reasons']] == ['arithmetic', 'precise'], 'blur on %s: %s' % (backend, kernel['reasons']))
        check(any('starts only 64 threads' in text and lines['small'] in text for text in found),
              'blur on %s: the small launch is folded or not named: %s' % (backend, found))
        check(page.value('document.querySelectorAll("#findings details").length') == 0, 'a few findings are folded')
    sent = sum(t['time'] for t in data_of(path)['transfers'])
    check(sent < kernel['time'] / 4, 'transfers of %d ns have the time of the kernels before them' % sent)
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'"reasons":\[\[.*?\]\]', '"reasons":[]', file.read())
    text = re.sub(r'"copy": ?[\d.e+-]+', '"copy":%g' % (2 * kernel['bytes'] / kernel['time']), text)
    with open(path.replace('.html', '-memory.html'), 'w', encoding='utf-8') as file:
        file.write(text)
    page.open(path.replace('.html', '-memory.html'))
    found = page.value('[...document.querySelectorAll("#findings li")].map(x => x.innerText)')
    check(found and 'is limited by memory' in found[0] and '50 % of what this device copies' in found[0] and
          lines['arithmetic'] in found[0], 'the kernel without a cause is not named: %s' % found)


def counted(page, path, name):
    """The page's counts are those of its data, and nothing is on the console."""
    page.size(1000)
    page.open(path)
    check(not page.errors, '%s: the console has %s' % (name, page.errors))
    shown, data = page.value('({...document.body.dataset})'), data_of(path)
    check(int(shown['launches']) == sum(k['count'] for k in data['kernels']) > 0, name + ': kernels are not counted')
    page.picture(os.path.join(WORK, name + '.png'))
    return data


# The library's own tables, which AMP_PROFILE prints.
def profiled(text):
    kernels = sum(int(n) for n in re.findall(r'^ *(\d+) +[\d.]+ +[\d.]+ +[\d.]+% ', text, re.M))
    rows = re.findall(r'^ *(\d+) +(\d+) +[\d.-]+ +(\d+) +(\d+) +[\d.-]+  ', text, re.M)
    return kernels, sum(int(r[0]) for r in rows), sum(int(r[2]) for r in rows)


def examples(page):
    folder = os.environ.get('EXAMPLES', 'build/examples')
    for name, arguments, variables in (('06_multi_matmul', ['96', '96', '96'], {'AMP_GROUP_THREADS': '0'}),
                                       ('20_fluid', ['8', '2', '8', '16', '8'], {}), ('19_language_model', ['-n', '4'], {})):
        program = os.path.abspath(os.path.join(folder, name + '_opencl'))
        if not os.path.exists(program):
            skip(name, program + ' is not built')
            continue
        done, path = run([program, *arguments], name + '.html', WORK, AMP_ACCELERATOR='opencl', AMP_FORCE_COPIES='1',
                         POCL_DEVICES='pthread pthread', AMP_PROFILE='1')
        check(done.returncode == 0, '%s ends with %d: %s' % (name, done.returncode, done.stderr[-300:]))
        data, shown = counted(page, path, name), page.value('({...document.body.dataset})')
        counts_of_page = tuple(int(shown[key]) for key in ('launches', 'toDevice', 'toHost'))
        check(counts_of_page == profiled(done.stderr), '%s: the page has %s, the profile %s' %
              (name, counts_of_page, profiled(done.stderr)))
        rates = [data['devices'][k['device']]['copy'] for k in data['kernels']]
        check(min(rates) > 0, name + ': the devices copy %s' % rates)
        if name == '06_multi_matmul':
            busy = {e[0] for e in data['events'] if e[1] == 0}
            check(len(busy) > 1, name + ': the kernels of the group are in one lane')
            bands = sorted({tuple(e[8:]) for e in data['events'] if len(e) > 8})
            check(len(bands) > 1 and bands[0][0] == 0 and bands[-1][1] == 95, name + ': the bands are %s' % bands)
            screenshots(page, path, name)
        zooms(page, path, name)


def ranks(page):
    program = os.path.abspath(os.path.join(os.environ.get('EXAMPLES', 'build/examples'), '08_mpi_stencil_cpu'))
    if not os.path.exists(program) or not shutil.which('mpirun'):
        skip('08_mpi_stencil', program + ' or mpirun is not there')
        return
    done, path = run(['mpirun', '-n', '2', program, '32', '32', '4'], 'ranks.html')
    check(done.returncode == 0, 'ranks: the status is %d: %s' % (done.returncode, done.stderr))
    page.open(path)
    check(not page.errors, 'ranks: the console has %s' % page.errors)
    links = page.value('[...document.querySelectorAll("a")].map(a => decodeURIComponent(a.href))')
    check(len(links) == 2 and all(os.path.exists(link[len('file://'):]) for link in links), 'ranks: links %s' % links)
    for n, link in enumerate(links):
        data = counted(page, link[len('file://'):], 'rank-%d' % n)
        check((data['rank'], data['ranks']) == (n, 2), 'ranks: %s is of rank %d' % (link, data['rank']))


def differs(page):
    """A difference has a map, and names of the program do not become HTML."""
    program = compiled('differs', 'opencl')
    done, path = run([program], 'differs.html', AMP_ACCELERATOR='opencl', AMP_COMPARE='cpu')
    check(done.returncode == 0, 'differs: the status is %d' % done.returncode)
    data = counted(page, path, 'differs')
    found = data['differences'][0]
    check(found['rows'] == found['columns'] == 64 and sum(found['map']) == 2500 and found['map'][0] == 0,
          'differs: the map has %d elements' % sum(found['map']))
    first = page.value('document.querySelector("#findings li").innerText')
    check('view differs in planted' in first and 'view(50, 50) is 2' in first, 'differs: it is not named first: ' + first)
    check('<b>"differs"&.c' in page.value('document.body.innerText'), 'differs: the name of the file is not shown')
    check('</script><img src=x onerror=alert(1)>' in page.value('document.body.innerText') and
          page.value('document.images.length') == 0, 'differs: a name became HTML')
    screenshots(page, path, 'differs')


def pictures():
    """A view of any type of numbers has a picture, others a message; every second one gives way to newer ones."""
    program = compiled('pictures', 'cpu')
    done, path = run([program], 'pictures.html')
    shown = {p['name']: p for p in data_of(path)['pictures']}
    wanted = {name: (1, 3, 1, 5, [127, 0, 254]) for name in
              'float double int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t'.split()}
    wanted['plane'] = (2, 3, 0, 4, [0, 64, 127, 255, 254, 255])
    for name, (rows, columns, least, most, pixels) in wanted.items():
        p = shown.get(name, {'rows': 0, 'columns': 0, 'least': 0, 'most': 0, 'pixels': ''})
        got = (p['rows'], p['columns'], p['least'], p['most'], list(base64.b64decode(p['pixels'])))
        check(got == (rows, columns, least, most, pixels), 'pictures: %s is %s' % (name, got))
    check(set(shown) == set(wanted), 'pictures: there are %s' % sorted(shown))
    for message in ('("deep", ...): a view of rank 3; pictures are of rank 1 or 2',
                    '("pairs", ...): elements of type pair are no numbers'):
        check(message in done.stdout, 'pictures: no message has %s: %s' % (message, done.stdout))
    done, path = run([program, 'many'], 'many.html')
    names = [int(p['name']) for p in data_of(path)['pictures']]
    check(len(names) <= 16 and names[:1] + names[-1:] == [0, 299] and names == sorted(names), 'pictures: %s' % names)


def progress():
    """On a terminal one line, which is gone at the end; elsewhere nothing."""
    program = compiled('slow', 'cpu')
    done = subprocess.run([program, 'long'], env=dict(os.environ, AMP_PROGRESS='1'), capture_output=True, text=True)
    check(done.returncode == 0 and not done.stderr, 'progress in a log: ' + done.stderr)
    ours, theirs = pty.openpty()
    done = subprocess.Popen([program, 'long'], env=dict(os.environ, AMP_PROGRESS='1'), stdout=subprocess.DEVNULL,
                            stderr=theirs)
    os.close(theirs)
    seen = b''
    try:
        while True:
            got = os.read(ours, 4096)
            if not got:
                break
            seen += got
    except OSError:
        pass
    check(done.wait(600) == 0 and b'kernels' in seen and seen.endswith(b'\r\x1b[K') and b'\n' not in seen,
          'progress on a terminal: %r' % seen)


def ends():
    """Also a program that ends by a signal or an error leaves its page."""
    program = compiled('slow', 'cpu')
    for how, status in (('signal', -signal.SIGTERM), ('error', -signal.SIGABRT)):
        done, path = run([program, how], 'ends-%s.html' % how)
        check(done.returncode == status, '%s: the status is %d' % (how, done.returncode))
        launches = sum(k['count'] for k in data_of(path)['kernels'])
        check(launches == numbers(done.stdout, 'launches')[0], '%s: the page has %d launches' % (how, launches))
    done, path = run([program], 'no-such-folder/page.html')
    check(done.returncode == 0 and done.stderr.count('AMP_REPORT') == 1 and 'cannot be written' in done.stderr,
          'a path that cannot be written: %d, %s' % (done.returncode, done.stderr))
    program = compiled('slow', 'cpu', '-DAMP_TOOLS=0')
    done, path = run([program], 'none.html', AMP_LOG='warning')
    check(done.returncode == 0 and not os.path.exists(path) and done.stderr.count('-DAMP_TOOLS') == 1,
          'without tools: %d, %s' % (done.returncode, done.stderr))
    program = compiled('slow', 'cpu', '-DAMP_TOOLS=0', 'tests/report/tools.c')
    done, path = run([program], 'tools.html', AMP_LOG='warning')
    launches = sum(k['count'] for k in data_of(path)['kernels'])
    check(done.returncode == 0 and 'AMP_TOOLS' not in done.stderr and launches == numbers(done.stdout, 'launches')[0],
          'tools of another file: %d launches, %s' % (launches, done.stderr))


def picture(page):
    """Writes the picture of docs/report.md, from the second of two runs: the first one compiles."""
    program = compiled('slow', 'opencl')
    for _ in range(2):
        done, path = run([program], 'slow.html', AMP_ACCELERATOR='opencl', AMP_FORCE_COPIES='1',
                         POCL_DEVICES=os.environ.get('POCL_DEVICES', 'pthread'))
    page.size(1000, 1150)
    page.open(path)
    page.picture('docs/pictures/report.png', whole=False)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    if sys.argv[1:] == ['--picture']:
        page = browser.Browser()
        picture(page)
        page.close()
        return 0
    ends()
    progress()
    pictures()
    if not browser.find():
        skip('pages in a browser', 'there is no Chromium (scripts/setup --print says what to install)')
    else:
        page = browser.Browser()
        try:
            slow(page)
            blur(page)
            differs(page)
            ranks(page)
            examples(page)
        finally:
            page.close()
    check(subprocess.run(['scripts/report-page', '--check']).returncode == 0, 'amp/report/page.h is not current')
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % counts)
    return 1 if counts['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
