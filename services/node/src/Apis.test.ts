import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import * as Apis from './Apis.ts'

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['10.0.0.1', false],
  ['1127.0.0.1', false],
  ['fe80::1', false],
  ['', false],
])('a caller from %j may see what is for this machine: %j', (remoteAddress, expected) => {
  let wasServed = false
  const statuses: number[] = []
  const endpoint = Apis.loopbackOnly({
    handle: () => {
      wasServed = true
    },
  })
  const request = { socket: { remoteAddress }, httpVersionMajor: 1, httpVersionMinor: 1 }
  const response = { writeHead: (status: number) => statuses.push(status), end: () => undefined }
  endpoint.handle({
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    headers: [],
  })
  expect(wasServed).toBe(expected)
  expect(statuses).toEqual(expected ? [] : [404])
})
