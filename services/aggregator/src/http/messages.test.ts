import { Signature } from '@firn/bls'
import { Hex, Id, NodeId } from '@firn/codec'
import { SignedMessage, UnsignedMessage, ValidatorSet } from '@firn/warp'
import { afterEach, describe, expect, it } from 'vitest'
import type { Server } from '../shared-log/Server.ts'
import { closeAll, setUp } from '../testing/app.ts'
import { C_CHAIN, createMessage, createValidators, sign } from '../testing/fakes.ts'
import { createTestServer } from '../testing/sharedLog.ts'

const validators = createValidators([40n, 30n, 20n, 10n])
const [first, second, third] = validators as [Node, Node, Node]
type Node = (typeof validators)[number]
const message = createMessage()
const messageId = Id.format(Id.hash(message))

const signatureOf = (one: Node, of = message) => ({
  nodeId: NodeId.format(one.nodeId),
  signature: Hex.encode(sign(one, of).compressed),
})

/** Returns the message signed by the given validators, in hex. */
function signedBy(signers: readonly Node[]): string {
  const { validators: canonical } = ValidatorSet.create(validators)
  const indices = signers.map((one) =>
    canonical.findIndex(({ publicKey }) => Hex.encode(publicKey.compressed) === Hex.encode(one.publicKey)),
  )
  const aggregate = Signature.aggregate(signers.map((one) => sign(one, message)))
  const signed = SignedMessage.create(UnsignedMessage.decode(message), indices, Signature.encode(aggregate))
  return Hex.encode(SignedMessage.encode(signed))
}

async function start(setup: Parameters<typeof setUp>[0] = {}) {
  const { server, dependencies } = await setUp(setup)
  const read = async (response: { statusCode: number; body: string }) => ({
    status: response.statusCode,
    body: JSON.parse(response.body),
  })
  const get = async (path: string) => read(await server.inject(`/v1/messages${path}`))
  const post = async (payload: object, headers = {}) =>
    read(await server.inject({ method: 'POST', url: '/v1/messages', payload, headers }))
  return { get, post, dependencies }
}

const withDatabase = async () => start({ server: await createTestServer() })

/** Returns a database server that only records statements. */
const createStubServer = (statements: string[] = []): Server => ({
  query: async (text) => {
    statements.push(text)
    return []
  },
  transaction: async () => undefined,
  listen: () => undefined,
  close: async () => undefined,
})

afterEach(closeAll)

describe('POST /v1/messages', () => {
  it('stores signatures that name validators by node id or key, and returns them by either spelling of the id', async () => {
    const { get, post } = await withDatabase()
    const byKey = { publicKey: Hex.encode(second.publicKey), signature: signatureOf(second).signature }
    const stored = await post({ message: Hex.encode(message), signatures: [signatureOf(first), byKey] })
    expect(stored).toEqual({ status: 200, body: { messageId, signatures: 2 } })
    const found = await get(`/${messageId}`)
    expect(found).toMatchObject({
      status: 200,
      body: { messageId, sourceBlockchainId: Id.format(C_CHAIN), signatureCount: 2, signedMessages: [] },
    })
    expect(found.body.signatures).toContainEqual({
      publicKey: Hex.encodeBare(first.publicKey),
      signature: Hex.encodeBare(sign(first, message).compressed),
    })
    expect(await get(`/${Hex.encode(Id.hash(message))}`)).toEqual(found)
  })

  it('stores a signed message that verifies at the height', async () => {
    const { get, post } = await withDatabase()
    const signedMessage = signedBy([first, second])
    expect((await post({ signedMessage, pChainHeight: 90 })).status).toBe(200)
    const { body } = await get('?fromHeight=90&toHeight=90')
    expect(body.messages[0]).toMatchObject({
      messageId,
      signedMessages: [
        {
          signingSubnetId: Id.format(Id.EMPTY),
          pChainHeight: '90',
          signedMessage: signedMessage.slice(2),
          signedWeight: '70',
          neededWeight: '67',
          totalWeight: '100',
        },
      ],
    })
  })

  const whole = Hex.encode(message)
  const good = signatureOf(first)
  it.each<[name: string, body: object, code: number, says: RegExp]>([
    [
      'a signature of another message',
      { message: whole, signatures: [good, signatureOf(second, createMessage(C_CHAIN, undefined, 'x'))] },
      400,
      /^signatures\[1\]: the signature is not this validator’s/,
    ],
    [
      'a signature of another validator',
      { message: whole, signatures: [{ ...signatureOf(third), nodeId: good.nodeId }] },
      400,
      /^signatures\[0\]: the signature is not this validator’s/,
    ],
    [
      'two wrong signatures whose sum is right',
      {
        message: whole,
        signatures: [
          { ...signatureOf(second), nodeId: good.nodeId },
          { ...good, nodeId: signatureOf(second).nodeId },
        ],
      },
      400,
      /^signatures\[[01]\]: the signature is not this validator’s/,
    ],
    [
      'a node that is not a validator',
      { message: whole, signatures: [{ ...good, nodeId: NodeId.format(new Uint8Array(20)) }] },
      400,
      /^signatures\[0\]: .* is not a validator with a BLS key of subnet 1{32}LpoYY at P-chain height 100$/,
    ],
    [
      'a signature that is not a point',
      { message: whole, signatures: [{ ...good, signature: `0x${'11'.repeat(96)}` }] },
      400,
      /^signatures\[0\]\.signature: /,
    ],
    [
      'too many signatures',
      { message: whole, signatures: Array(257).fill(good) },
      400,
      /^signatures: expected a list of 1 to 256 objects/,
    ],
    [
      'a message of another network',
      { message: Hex.encode(createMessage(C_CHAIN, 5)), signatures: [good] },
      400,
      /^message: expected network id/,
    ],
    [
      'an empty message',
      { message: '0x', signatures: [good] },
      400,
      /^message: expected an unsigned Warp message, got no bytes$/,
    ],
    ['no signatures', { message: whole, signatures: [] }, 400, /^signatures: expected a list of 1 to 256/],
    [
      'neither form',
      { message: whole },
      400,
      /^body: expected either message and signatures, or signedMessage$/,
    ],
    [
      'a signed message without a quorum',
      { signedMessage: signedBy([second, third]) },
      400,
      /^signedMessage: it is not valid at P-chain height 100 .*: expected signers with at least 67\/100/,
    ],
    [
      'a signed message with a wrong signature',
      { signedMessage: signedBy([first, second]).replace(/..$/, '00') },
      400,
      /^signedMessage: it is not valid/,
    ],
    [
      'bytes that are not a signed message',
      { signedMessage: '0x00' },
      400,
      /^signedMessage: expected a signed Warp message/,
    ],
  ])('rejects %s, and stores nothing', async (_name, body, code, says) => {
    const statements: string[] = []
    const server = createStubServer(statements)
    const { post } = await start({ server })
    expect(await post(body)).toEqual({
      status: code,
      body: { statusCode: code, error: 'Bad Request', message: expect.stringMatching(says) },
    })
    expect(statements).toEqual(['select 1'])
  })

  it('requires an API key, and refuses signatures of subnets that are not served', async () => {
    const server = createStubServer()
    const { post } = await start({
      server,
      configuration: { apiKeys: ['key'] },
      allowed: { signingSubnets: [C_CHAIN] },
    })
    const body = { message: whole, signatures: [good] }
    expect((await post(body)).status).toBe(401)
    expect((await post(body, { 'x-data-api-key': 'key' })).status).toBe(403)
  })
})

describe('GET /v1/messages', () => {
  it('returns every message once on pages of the requested size', async () => {
    const { get, post } = await withDatabase()
    for (const text of ['a', 'b', 'c']) {
      const other = createMessage(C_CHAIN, undefined, text)
      await post({ message: Hex.encode(other), signatures: [signatureOf(first, other)] })
    }
    const page = (await get('?pageSize=2')).body
    const next = (await get(`?pageSize=2&pageToken=${page.nextPageToken}`)).body
    expect([page.messages.length, next.messages.length, next.nextPageToken]).toEqual([2, 1, undefined])
    const ids = [...page.messages, ...next.messages].map((one) => one.messageId)
    expect(new Set(ids).size).toBe(3)
  })

  it.each([
    ['/x', /^id: expected a message id/],
    ['?sourceChain=x', /^sourceChain: expected a blockchain id/],
    ['?fromHeight=-1', /^fromHeight: expected an integer from 0/],
    ['?from=yesterday', /^from: expected a time/],
    ['?pagesize=5', /^pagesize: expected one of the parameters sourceChain, fromHeight, .*, got an unknown/],
    ['?pageSize=101', /^pageSize: expected an integer from 1 to 100/],
    ['?pageToken=x', /^pageToken: expected the nextPageToken/],
    ['?from=1&from=2', /^from: expected a single value/],
  ])('rejects %s', async (path, says) => {
    const { get } = await start({ server: createStubServer() })
    expect(await get(path)).toMatchObject({ status: 400, body: { message: expect.stringMatching(says) } })
  })

  it('answers hostile parameters without an internal error', async () => {
    const { get } = await withDatabase()
    const far = Buffer.from(`${'9'.repeat(18)} ${'f'.repeat(64)}`).toString('base64url')
    const paths = [
      '/__proto__',
      '/%00',
      `/${'f'.repeat(64)}`,
      `?pageToken=${far}`,
      `?pageToken=${Buffer.from('0 \0').toString('base64url')}`,
      `?fromHeight=${Number.MAX_SAFE_INTEGER}&toHeight=0`,
      '?from=99999999999&to=9999-12-31T23:59:59.999Z',
      '?to=0001-01-01',
      '?sourceChain=%00',
      '?__proto__=1&constructor=2',
    ]
    for (const path of paths) expect([path, (await get(path)).status < 500]).toEqual([path, true])
  })

  it('responds with 404 for an unknown message, and without a message log', async () => {
    const { get } = await start({ server: createStubServer() })
    expect(await get(`/${messageId}`)).toMatchObject({
      status: 404,
      body: { message: expect.stringMatching(/^no message/) },
    })
    const { server } = await setUp()
    const response = await server.inject(`/v1/messages/${messageId}`)
    expect([response.statusCode, response.body]).toEqual([404, expect.stringContaining('--database-url')])
  })

  it('responds with 503 while the database is down, and /health says that the message log is degraded', async () => {
    const database = await createTestServer()
    const { get, dependencies } = await start({ server: database })
    expect((await dependencies.health()).messageLog).toEqual({ status: 'up' })
    database.state = 'down'
    expect(await get('')).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/is unavailable: connection refused$/) },
    })
    expect((await dependencies.health()).messageLog).toEqual({
      status: 'degraded',
      problem: 'connection refused',
    })
  })
})
