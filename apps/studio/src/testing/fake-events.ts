import { afterEach, beforeEach, vi } from 'vitest';

/** A page of a test has another one. */
const NativeEvent = Event;

/** A stream of events that the test sends. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readonly url: string;
  readyState = 1;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.all.push(this);
  }
  close() {
    this.readyState = 2;
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new NativeEvent('open'));
  }
  /** Sends data as JSON, a text as it is. */
  send(data: unknown, lastEventId = '', name = 'message') {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.dispatchEvent(Object.assign(new NativeEvent(name), { data: text, lastEventId }));
  }
  /** The connection is lost: 0 where the browser tries again, 2 where the server refused it. */
  fail(readyState: 0 | 2) {
    this.readyState = readyState;
    this.dispatchEvent(new NativeEvent('error'));
  }
}

/** The streams that each test of a file opens; the newest one is last. */
export function useFakeEvents(): readonly FakeEventSource[] {
  beforeEach(() => {
    FakeEventSource.all.length = 0;
    vi.stubGlobal('EventSource', FakeEventSource);
  });
  afterEach(() => vi.unstubAllGlobals());
  return FakeEventSource.all;
}
