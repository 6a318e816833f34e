# SPDX-License-Identifier: MIT
"""A browser under control: the few commands of WebDriver that the tests need, by Python's standard library."""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

LONGEST_WAIT = 600  # seconds, for a machine that is busy with other things
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", "ArrowRight": "\ue014", "ArrowLeft": "\ue012",
        "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Delete": "\ue017", "Shift": "\ue008", "Home": "\ue011"}


class Browser:
    def __init__(self, width=1280, height=800, scheme="light"):
        self.folder = tempfile.mkdtemp(prefix="heatfront-browser-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        self.log = open(os.path.join(self.folder, "driver.log"), "w+")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=subprocess.STDOUT)
        try:
            self.port = self._port(self.log)
            arguments = ["--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
                         "--disable-background-networking", f"--window-size={width},{height}",
                         "--force-device-scale-factor=1", f"--user-data-dir={self.folder}/profile"]
            if scheme == "dark":
                arguments.append("--force-dark-mode")
            options = {"args": arguments, "prefs": {"download.default_directory": self.downloads,
                                                    "profile.default_content_setting_values.automatic_downloads": 1}}
            asked = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                                      "goog:loggingPrefs": {"browser": "ALL"},
                                                      "timeouts": {"script": 1000 * LONGEST_WAIT}}}}
            self.session = self._ask("POST", "/session", asked)["sessionId"]
            self.resize(width, height)
        except BaseException:
            self.close()
            raise

    def _port(self, log):
        end = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < end and self.driver.poll() is None:
            log.seek(0)
            found = re.search(r"started successfully on port (\d+)", log.read())
            if found:
                return int(found[1])
            time.sleep(0.05)
        raise RuntimeError("chromedriver did not start")

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * LONGEST_WAIT) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def ask(self, method, command, body=None):
        return self._ask(method, f"/session/{self.session}/{command}", body)

    def open(self, address):
        self.ask("POST", "url", {"url": address})

    def resize(self, width, height):
        """The page itself, whatever the window around it takes."""
        self.ask("POST", "goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def run(self, script, *arguments):
        return self.ask("POST", "execute/sync", {"script": script, "args": list(arguments)})

    def until(self, condition, *arguments):
        """Until the expression is true in the page; the page itself watches, at each of its frames."""
        script = """const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);
            const look = () => { let value; try { value = (function () { return %s; }).apply(null, given); } catch { value = false; }
                                 if (value) done(value); else setTimeout(look, 20); }; look();""" % condition
        try:
            return self.ask("POST", "execute/async", {"script": script, "args": list(arguments)})
        except RuntimeError as error:
            raise AssertionError(f"never came about: {condition} {arguments} ({error})") from None

    def element(self, selector):
        return self.ask("POST", "element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"element/{self.element(selector)}/click", {})

    def type(self, selector, text):
        self.ask("POST", f"element/{self.element(selector)}/value", {"text": "".join(KEYS.get(k, k) for k in text)})

    def press(self, *keys):
        """Keys one after the other; "Shift+Z" holds one."""
        actions = []
        for key in keys:
            parts = [KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
            actions += [{"type": "keyDown", "value": part} for part in parts]
            actions += [{"type": "keyUp", "value": part} for part in reversed(parts)]
        self.ask("POST", "actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def pointer(self, *moves, shift=False):
        """Moves of the mouse: ("move", x, y), ("down",), ("up",)."""
        actions = []
        for what, *place in moves:
            if what == "move":
                actions.append({"type": "pointerMove", "duration": 20, "x": round(place[0]), "y": round(place[1])})
            else:
                actions.append({"type": "pointerDown" if what == "down" else "pointerUp", "button": 0})
        sources = [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]
        if shift:
            self.ask("POST", "actions", {"actions": [{"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": KEYS["Shift"]}]}]})
        self.ask("POST", "actions", {"actions": sources})
        if shift:
            self.ask("POST", "actions", {"actions": [{"type": "key", "id": "keys", "actions": [{"type": "keyUp", "value": KEYS["Shift"]}]}]})

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "screenshot")))

    def complaints(self):
        """What the page wrote to the console as errors."""
        return [entry["message"] for entry in self.ask("POST", "se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def downloaded(self, name):
        path, end = os.path.join(self.downloads, name), time.monotonic() + LONGEST_WAIT
        while time.monotonic() < end:
            if os.path.exists(path):
                with open(path, "rb") as file:
                    return file.read()
            time.sleep(0.05)
        raise AssertionError(f"{name} was not downloaded; there are {os.listdir(self.downloads)}")

    def close(self):
        try:
            if hasattr(self, "session"):
                self._ask("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()
            shutil.rmtree(self.folder, ignore_errors=True)
