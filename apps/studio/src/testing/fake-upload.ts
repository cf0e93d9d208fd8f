import { afterEach, beforeEach, vi } from 'vitest';

/** A page of a test has another one. */
const NativeEvent = Event;

/** An upload that the test answers. */
export class FakeUpload {
  static all: FakeUpload[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  method = '';
  url = '';
  body: Blob | undefined;
  status = 0;
  responseText = '';
  retryAfter: string | null = null;
  readonly #events = new EventTarget();

  constructor() {
    FakeUpload.all.push(this);
  }

  open(method: string, url: string) {
    Object.assign(this, { method, url });
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader = (name: string) => (name === 'Retry-After' ? this.retryAfter : null);
  addEventListener(name: string, listener: () => void) {
    this.#events.addEventListener(name, listener);
  }
  send(body: Blob) {
    this.body = body;
  }
  abort() {
    this.emit('abort');
  }
  emit(name: string) {
    this.#events.dispatchEvent(new NativeEvent(name));
  }
  /** Ends it with a response. */
  end(status: number, body: string) {
    Object.assign(this, { status, responseText: body });
    this.emit('load');
  }
  progress(loaded: number) {
    this.upload.dispatchEvent(Object.assign(new NativeEvent('progress'), { loaded }));
  }
}

/** Uploads of each test of a file; the newest one is last. */
export function useFakeUploads(): readonly FakeUpload[] {
  beforeEach(() => {
    FakeUpload.all.length = 0;
    vi.stubGlobal('XMLHttpRequest', FakeUpload);
  });
  afterEach(() => vi.unstubAllGlobals());
  return FakeUpload.all;
}
