import type { ServerResponse } from 'node:http'

/** Time in milliseconds after which a late target answers. It must exceed the time that the service waits. */
const LATE_MS = 2_000
const MEGABYTE = Buffer.alloc(1 << 20, 'x')

/** A way in which a target misbehaves. For tests only. */
export interface TargetFault {
  /** Whether the target has taken the message, so that the service may regard it as delivered. */
  readonly isTaken: boolean
  answer(response: ServerResponse): void
}

/** The ways in which targets misbehave. For tests only. */
export const TARGET_FAULTS = {
  hangs: { isTaken: false, answer: () => undefined },
  'answers late': {
    isTaken: true,
    answer: (response) => void setTimeout(() => response.end(), LATE_MS).unref(),
  },
  'is unavailable': { isTaken: false, answer: (response) => void response.writeHead(503).end() },
  'limits the rate': {
    isTaken: false,
    answer: (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
  },
  redirects: {
    isTaken: false,
    answer: (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  },
  'sends megabytes': {
    isTaken: true,
    answer: (response) => flood(response.writeHead(200)),
  },
  'sends megabytes with an error': {
    isTaken: false,
    answer: (response) => flood(response.writeHead(500)),
  },
  'sends less than it says': {
    isTaken: true,
    answer: (response) =>
      void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\nless'),
  },
  'sends more than it says': {
    isTaken: true,
    answer: (response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nmore'),
  },
  'sends an invalid length': {
    isTaken: false,
    answer: (response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'),
  },
  'sends no HTTP': { isTaken: false, answer: (response) => void response.socket?.end('hello\r\n\r\n') },
  'ends in the header': {
    isTaken: false,
    answer: (response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-'),
  },
  'breaks the connection': { isTaken: false, answer: (response) => void response.socket?.destroy() },
} as const satisfies Readonly<Record<string, TargetFault>>

/** Name of a fault. For tests only. */
export type TargetFaultName = keyof typeof TARGET_FAULTS

/** Sends megabytes until the connection ends. */
function flood(response: ServerResponse): void {
  const next = () => {
    while (!response.destroyed && response.write(MEGABYTE));
    if (!response.destroyed) response.once('drain', next)
  }
  response.on('error', () => undefined)
  next()
}
