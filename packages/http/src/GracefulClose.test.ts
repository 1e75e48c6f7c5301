import { once } from 'node:events'
import { Agent, createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import * as GracefulClose from './GracefulClose.ts'

const start = async (answer: Parameters<typeof createServer>[1]) => {
  // The keep-alive timeout is so long that only the code under test can close connections.
  const server = createServer({ keepAliveTimeout: 600_000 }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}
const stopping = (server: Server) => () => new Promise((resolve) => server.close(resolve))

it('completes a request in progress, and then closes its keep-alive connection', async () => {
  let finish = () => undefined as unknown
  const { server, port } = await start((_request, response) => {
    finish = () => response.end('done')
  })
  const agent = new Agent({ keepAlive: true })
  const request = get({ port, host: '127.0.0.1', agent })
  await once(server, 'request')
  const closed = GracefulClose.run(server, stopping(server), { graceMs: 300_000 })
  finish()
  const [response] = await once(request, 'response')
  expect(await response.setEncoding('utf8').toArray()).toEqual(['done'])
  await closed
  agent.destroy()
})

it('closes a connection after the grace time if its response never ends', async () => {
  const { server, port } = await start((_request, response) => void response.write('first'))
  const request = get({ port, host: '127.0.0.1' })
  const [response] = await once(request, 'response')
  await once(response, 'data')
  const broken = once(response, 'error')
  await GracefulClose.run(server, stopping(server), { graceMs: 50 })
  expect(await broken).toMatchObject([{ code: 'ECONNRESET' }])
})
