import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import * as CallerLimits from './CallerLimits.ts'
import * as Exchange from './Exchange.ts'

/** Opens a request whose body is written by the test, and collects the response. */
function open(bodies: Exchange.BodyMemory, headers: Readonly<Record<string, string>> = {}) {
  const request = new EventEmitter()
  const answers: (readonly [number, readonly string[]])[] = []
  const received: number[] = []
  const response = {
    writeHead: (status: number, headers: readonly string[]) => answers.push([status, headers]),
    end: () => undefined,
  }
  const exchange = {
    request: Object.assign(request, { httpVersionMajor: 1, headers }) as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    headers: [],
    bodies,
    budget: CallerLimits.UNLIMITED,
  }
  Exchange.readBody(exchange, (body) => received.push(body.length))
  return { request, answers, received }
}

describe('readBody', () => {
  const chunk = new Uint8Array(2 ** 20)

  test('counts the buffered bytes of a request body until the body is complete', () => {
    const bodies = { held: 0 }
    const { request, received } = open(bodies)
    request.emit('data', chunk)
    request.emit('data', chunk)
    expect(bodies.held).toBe(2 ** 21)
    request.emit('end')
    request.emit('close')
    expect(received).toEqual([2 ** 21])
    expect(bodies.held).toBe(0)
  })

  test('releases the counted bytes of an aborted request', () => {
    const bodies = { held: 0 }
    const { request, received } = open(bodies)
    request.emit('data', chunk)
    request.emit('close')
    expect(received).toEqual([])
    expect(bodies.held).toBe(0)
  })

  test('refuses a body that is announced to be too long without waiting for it', () => {
    const { answers } = open({ held: 0 }, { 'content-length': String(Exchange.MAX_BODY + 1) })
    expect(answers[0]?.[0]).toBe(413)
    expect(answers[0]?.[1]).toContain('close')
  })

  test('refuses a body without a length when it becomes too long, and not at its end', () => {
    const bodies = { held: 0 }
    const { request, answers, received } = open(bodies)
    for (let sent = 0; sent <= Exchange.MAX_BODY; sent += chunk.length) request.emit('data', chunk)
    expect(answers.map(([status]) => status)).toEqual([413])
    expect(bodies.held).toBe(0)
    request.emit('data', chunk)
    request.emit('end')
    expect(answers).toHaveLength(1)
    expect(received).toEqual([])
  })

  test('returns 503 while other requests use up the memory budget for request bodies', () => {
    const bodies = { held: 256 * 2 ** 20 }
    const { request, answers, received } = open(bodies)
    request.emit('data', chunk)
    request.emit('end')
    expect(received).toEqual([])
    expect(answers).toHaveLength(1)
    expect(answers[0]?.[0]).toBe(503)
    expect(answers[0]?.[1]).toContain('Retry-After')
    expect(bodies.held).toBe(256 * 2 ** 20)
  })
})
