import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { StakingCertificate, StakingKey } from '@firn/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Replica, startReplica } from './testing/replica.ts'

let replica: Replica
beforeAll(async () => {
  const { der, privateKey } = StakingCertificate.create()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  replica = await startReplica({
    configuration: {
      httpTlsEnabled: true,
      httpTlsKeyFileContent: base64(StakingKey.formatPem(privateKey)),
      httpTlsCertFileContent: base64(StakingCertificate.formatPem(der)),
    },
  })
})
afterAll(() => replica.close())

const BODY = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'
const ANSWER = '{"jsonrpc":"2.0","result":{"height":"85"},"id":1}\n'
const HEADERS = { 'content-type': 'application/json' }

test('serves HTTP/1.1 over TLS', async () => {
  expect(replica.url).toMatch(/^https:/)
  const text = await new Promise<string>((settle, reject) => {
    const options = { method: 'POST', headers: HEADERS, rejectUnauthorized: false, agent: false }
    const sent = request(`${replica.url}/ext/bc/P`, options, async (response) => {
      let received = ''
      for await (const chunk of response) received += chunk
      settle(received)
    })
    sent.on('error', reject)
    sent.end(BODY)
  })
  expect(text).toBe(ANSWER)
})

test('serves HTTP/2 over TLS', async () => {
  const session = connectHttp2(replica.url, { rejectUnauthorized: false })
  const stream = session.request({ ':method': 'POST', ':path': '/ext/P', ...HEADERS })
  stream.end(BODY)
  let received = ''
  for await (const chunk of stream) received += chunk
  expect(received).toBe(ANSWER)
  session.close()
})

test('rejects a configuration that enables TLS without a key', async () => {
  const lacking = startReplica({ configuration: { httpTlsEnabled: true } })
  await expect(lacking).rejects.toMatchObject({
    code: 'NODE_CONFIGURATION',
    message: 'http-tls-enabled: http-tls-key-file is missing',
  })
})
