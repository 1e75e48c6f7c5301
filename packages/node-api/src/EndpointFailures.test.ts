import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Endpoint } from './Exchange.ts'
import * as LandingEndpoint from './LandingEndpoint.ts'
import * as RpcEndpoint from './RpcEndpoint.ts'

/** Sends a request to a server that has only the endpoint. */
async function request(endpoint: Endpoint, init: RequestInit) {
  const errors: unknown[] = []
  const own = {
    headers: [],
    bodies: { held: 0 },
    budget: { take: () => 0, charge: () => undefined },
    onError: (error: unknown) => errors.push(error),
  }
  const server = createServer((incoming, response) =>
    endpoint.handle({ ...own, request: incoming, response } as never),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, init)
    return { status: answer.status, text: await answer.text(), errors }
  } finally {
    server.close()
  }
}

it('answers 500 without the error when the page cannot be created, and reports it', async () => {
  const error = new Error('too many open files')
  const endpoint = LandingEndpoint.create(() => {
    throw error
  })
  const answer = await request(endpoint, { headers: { accept: 'application/json' } })
  expect(answer).toEqual({ status: 500, text: 'Internal Server Error\n', errors: [error] })
})

it('answers 500 without the error when a service rejects, and reports it', async () => {
  const error = new TypeError('a bug')
  const endpoint = RpcEndpoint.create({ methods: [], handle: () => Promise.reject(error) })
  const headers = { 'content-type': 'application/json' }
  const answer = await request(endpoint, { method: 'POST', headers, body: '{}' })
  expect(answer).toEqual({ status: 500, text: 'Internal Server Error\n', errors: [error] })
})
