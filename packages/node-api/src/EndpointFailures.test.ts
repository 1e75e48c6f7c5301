import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Endpoint } from './Exchange.ts'
import * as LandingEndpoint from './LandingEndpoint.ts'
import * as RpcEndpoint from './RpcEndpoint.ts'

/** Sends a request to a server that has only the endpoint. */
async function request(endpoint: Endpoint, init: RequestInit) {
  const own = { headers: [], bodies: { held: 0 }, budget: { take: () => 0, charge: () => undefined } }
  const server = createServer((incoming, response) =>
    endpoint.handle({ ...own, request: incoming, response } as never),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, init)
    return { status: answer.status, text: await answer.text() }
  } finally {
    server.close()
  }
}

it('answers 500 and goes on when the page cannot be created', async () => {
  const endpoint = LandingEndpoint.create(() => {
    throw new Error('too many open files')
  })
  const answer = await request(endpoint, { headers: { accept: 'application/json' } })
  expect(answer).toEqual({ status: 500, text: 'Error: too many open files\n' })
})

it('answers 500 and goes on when a service rejects', async () => {
  const endpoint = RpcEndpoint.create({ methods: [], handle: () => Promise.reject(new TypeError('a bug')) })
  const headers = { 'content-type': 'application/json' }
  const answer = await request(endpoint, { method: 'POST', headers, body: '{}' })
  expect(answer).toEqual({ status: 500, text: 'TypeError: a bug\n' })
})
