# SPDX-License-Identifier: MIT
"""A headless Chromium, by its DevTools protocol over two pipes."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    """The browser's command, or None."""
    for name in ('chromium', 'chromium-browser', 'google-chrome', 'chrome'):
        if shutil.which(name):
            return name
    return None


class Browser:
    def __init__(self):
        to_browser, from_us = os.pipe()
        from_browser, to_us = os.pipe()
        self.profile = tempfile.mkdtemp(prefix='amp-report-browser-')

        def connect():
            # Chromium reads from 3 and writes to 4. First away from both numbers.
            a, b = os.dup2(to_browser, 13), os.dup2(to_us, 14)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [find(), '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
             '--hide-scrollbars', '--remote-debugging-pipe', '--user-data-dir=' + self.profile, 'about:blank'],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(to_us)
        self.out, self.inp, self.rest = from_us, from_browser, b''
        self.number, self.session, self.errors = 0, None, []
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')

    def message(self):
        while b'\0' not in self.rest:
            got = os.read(self.inp, 1 << 20)
            if not got:
                raise RuntimeError('the browser has ended')
            self.rest += got
        one, self.rest = self.rest.split(b'\0', 1)
        return json.loads(one)

    def note(self, message):
        """Keeps what a page must not cause: errors, and requests to anywhere but its own file."""
        method, what = message.get('method'), message.get('params', {})
        if method == 'Runtime.exceptionThrown':
            self.errors.append(json.dumps(what['exceptionDetails'].get('exception', what))[:600])
        elif method == 'Runtime.consoleAPICalled' and what['type'] in ('error', 'warning', 'assert'):
            self.errors.append(json.dumps(what['args'])[:600])
        elif method == 'Log.entryAdded' and what['entry']['level'] in ('error', 'warning'):
            self.errors.append(what['entry']['text'])
        elif method == 'Network.requestWillBeSent' and not what['request']['url'].startswith(('file:', 'data:')):
            self.errors.append('request: ' + what['request']['url'])

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        number = self.number
        while True:
            answer = self.message()
            if answer.get('id') == number:
                if 'error' in answer:
                    raise RuntimeError('%s: %s' % (method, answer['error']))
                return answer['result']
            self.note(answer)

    def size(self, width, height=1000, dark=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def open(self, path):
        self.errors = []
        self.call('Page.navigate', url='file://' + os.path.abspath(path))
        end = time.time() + 600
        while self.value('location.href.startsWith("file:") && document.readyState') != 'complete':
            if time.time() > end:
                raise RuntimeError(path + ' does not load')
            time.sleep(0.05)

    def value(self, script):
        got = self.call('Runtime.evaluate', expression=script, returnByValue=True)
        if 'exceptionDetails' in got:
            raise RuntimeError('%s: %s' % (script, got['exceptionDetails']))
        return got['result'].get('value')

    def picture(self, path, whole=True):
        shot = self.call('Page.captureScreenshot', format='png', captureBeyondViewport=whole)
        with open(path, 'wb') as file:
            file.write(base64.b64decode(shot['data']))

    def element_picture(self, path, selector):
        box = self.value('(r => [r.x + scrollX, r.y + scrollY, r.width, r.height])'
                         '(document.querySelector(%s).getBoundingClientRect())' % json.dumps(selector))
        clip = dict(zip(('x', 'y', 'width', 'height'), box), scale=1)
        shot = self.call('Page.captureScreenshot', format='png', captureBeyondViewport=True, clip=clip)
        with open(path, 'wb') as file:
            file.write(base64.b64decode(shot['data']))

    def key(self, key):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, text=key if len(key) == 1 and kind == 'keyDown' else '')

    def wheel(self, x, y, by):
        self.call('Input.dispatchMouseEvent', type='mouseWheel', x=x, y=y, deltaX=0, deltaY=by)

    def mouse(self, kind, x, y, button='left'):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button=button, buttons=1 if button == 'left' else 0,
                  clickCount=1)

    def close(self):
        try:
            self.call('Browser.close')
        except (RuntimeError, OSError):
            pass
        self.process.wait(30)
        shutil.rmtree(self.profile, ignore_errors=True)
