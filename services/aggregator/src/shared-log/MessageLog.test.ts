import { createAggregator, Prover, SignatureCache, type Transport } from '@firn/aggregation'
import { Hex, Id } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import { Acp118, SignedMessage, UnsignedMessage, ValidatorSet } from '@firn/warp'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { AggregateRequest } from '../signing/AggregateRequest.ts'
import type { Limits, Signed } from '../signing/Signatures.ts'
import { RESULT } from '../testing/app.ts'
import { createValidators, type FakeValidator, sign } from '../testing/fakes.ts'
import { connectTo, createMessageRow, createTestServer, type TestServer } from '../testing/sharedLog.ts'
import { createLogReader } from './LogReader.ts'
import { createLogWriter } from './LogWriter.ts'
import { createRecall } from './Recall.ts'
import { deleteExpired } from './Retention.ts'
import { createSharedLog } from './SharedLog.ts'

const validators = createValidators([40n, 30n, 20n, 10n])
const validatorSet = ValidatorSet.create(validators)

/** Returns an aggregator with its own cache that shares the message log on `server`. */
async function join(server: TestServer) {
  const connected = await connectTo(server)
  const reader = createLogReader(connected.database)
  const writer = createLogWriter(connected)
  const recall = createRecall({ ...connected, reader, writer })
  const cache = SignatureCache.create({ maxBytes: 1 << 20 })
  /** Node ids (hex) of the validators that were asked. */
  const asked: string[] = []
  const byNode = new Map<string, FakeValidator>(validators.map((one) => [Hex.encodeBare(one.nodeId), one]))
  const inner = createAggregator({
    clock: systemClock,
    cache: recall.cache(cache),
    options: { slackPercentage: 0 },
    transport: {
      connection: () => ({ connected: true }),
      request: async (nodeId, { bytes, onSent }) => {
        onSent()
        asked.push(Hex.encodeBare(nodeId))
        const { message } = Acp118.decodeRequest(bytes)
        const { compressed: signature } = sign(byNode.get(Hex.encodeBare(nodeId)) as FakeValidator, message)
        return { kind: 'response', bytes: Acp118.encodeResponse({ signature }) }
      },
    },
  })
  const aggregator = recall.aggregator(inner, cache, Prover.create(systemClock))
  const ask = (message: Uint8Array, quorumPercentage: number) =>
    aggregator.aggregate({ message, validatorSet, quorumPercentage, deadlineMs: 20_000 })
  return { ...connected, reader, writer, ask, asked }
}

const signedRow = (id: string, height: number) => ({
  message_id: id,
  subnet_id: '00'.repeat(32),
  p_chain_height: String(height),
  quorum_percentage: 67,
  signed_message: 'abcd',
  signed_weight: '70',
  needed_weight: '67',
  total_weight: '100',
  report: null,
})

describe('stored signatures', () => {
  it('asks only the validators whose signatures no other aggregator has collected', async () => {
    const server = await createTestServer()
    const [one, two] = [await join(server), await join(server)]
    const { message } = createMessageRow('shared')
    await one.ask(message, 67)
    await one.writer.flush()
    const { report } = await two.ask(message, 100)
    expect([one.asked.length, two.asked.length, report.counters.fromCache]).toEqual([2, 2, 2])
    expect(one.asked.filter((nodeId) => two.asked.includes(nodeId))).toEqual([])
  })

  it('ignores wrong signatures in the database, and replaces them', async () => {
    const server = await createTestServer()
    const [one, two] = [await join(server), await join(server)]
    const { message, row } = createMessageRow('poisoned')
    await one.ask(message, 100)
    await one.writer.flush()
    // Each validator's signature is replaced with another validator's, so that their sum stays right.
    await server.sql(`update firn_aggregator.signature s set signature = n.signature from
      (select public_key, coalesce(lead(signature) over o, first_value(signature) over o) as signature
       from firn_aggregator.signature window o as (order by public_key)) n where n.public_key = s.public_key`)
    const { report } = await two.ask(message, 100)
    expect([two.asked.length, report.validators.map(({ outcome }) => outcome)]).toEqual([
      4,
      ['signed', 'signed', 'signed', 'signed'],
    ])
    await two.writer.flush()
    const three = await join(server)
    await three.ask(message, 100)
    expect(three.asked).toEqual([])
    expect(await three.reader.signatures(Hex.decodeBare(row.message_id))).toHaveLength(4)
  })

  it('collects signatures while the database is down or hangs, and stores them later', async () => {
    const server = await createTestServer()
    const one = await join(server)
    const { message, row } = createMessageRow('during an outage')
    server.state = 'hung'
    one.limits.promptMs = 20
    await one.ask(message, 67)
    expect(one.database.problem).toBe('no response within 20 ms')
    const { statements } = server
    await one.ask(createMessageRow('another').message, 67)
    expect(server.statements - statements).toBeLessThanOrEqual(1)
    server.state = 'up'
    one.limits.promptMs = 60_000
    await expect.poll(() => one.database.isUp).toBe(true)
    await one.writer.flush()
    expect(await one.reader.signatures(Hex.decodeBare(row.message_id))).toHaveLength(2)
  })
})

describe('a statement that the server rejects', () => {
  it('leaves the database available, and does not keep other rows from being written', async () => {
    const server = await createTestServer()
    const { database, writer } = await join(server)
    await expect(database.run('select 1 / 0')).rejects.toMatchObject({
      code: 'AGGREGATOR_DATABASE',
      details: { headers: { 'retry-after': '1' } },
    })
    const { row } = createMessageRow('with a height that is too large')
    writer.know(row)
    writer.addSigned({ ...signedRow(row.message_id, 1), p_chain_height: '9'.repeat(30) })
    await writer.flush()
    writer.addSigned(signedRow(row.message_id, 2))
    await writer.flush()
    expect(database.isUp).toBe(true)
    const stored = await server.sql(
      'select p_chain_height::text as height from firn_aggregator.signed_message',
    )
    expect(stored).toEqual([{ height: '2' }])
  })

  it('leaves the database available when a statement takes too long', async () => {
    const server = await createTestServer()
    const { database } = await join(server)
    const cancelled = Object.assign(new Error('canceling statement due to statement timeout'), {
      code: '57014',
    })
    const { query } = server
    Object.assign(server, { query: () => Promise.reject(cancelled) })
    await expect(database.run('select 1')).rejects.toMatchObject({ code: 'AGGREGATOR_DATABASE' })
    Object.assign(server, { query })
    expect(await database.run('select 1 as one')).toEqual([{ one: 1 }])
  })
})

it('creates the tables again if the database was replaced by an empty one', async () => {
  const server = await createTestServer()
  const { database } = await join(server)
  await server.query('drop schema firn_aggregator cascade')
  const count = () => database.run('select count(*)::int as n from firn_aggregator.message').catch(() => [])
  await expect.poll(count).toEqual([{ n: 0 }])
})

it('does not tell callers the address of the database', async () => {
  const server = await createTestServer()
  const { database } = await join(server)
  const query = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'))
  Object.assign(server, { query })
  for (const _ of ['first', 'second']) {
    await expect(database.run('select 1')).rejects.toThrow(/is unavailable: connect ECONNREFUSED$/)
  }
})

describe('signed messages', () => {
  it('stores the report of a request, and the signed messages for all heights of a destination', async () => {
    const server = await createTestServer()
    const limits = { promptMs: 60_000, patientMs: 60_000 }
    const options = { server, clock: systemClock, log: silentLogger, register: new Registry(), limits }
    const sharedLog = createSharedLog({ ...options, retentionMs: 60_000 })
    await sharedLog.database.tried
    const { message } = createMessageRow('for a destination')
    const unsigned = UnsignedMessage.decode(message)
    const signedMessage = SignedMessage.encode(SignedMessage.create(unsigned, [0], new Uint8Array(96)))
    const result = { ...RESULT, signedMessage }
    const cache = SignatureCache.create({ maxBytes: 1 << 20 })
    const own = createAggregator({ clock: systemClock, transport: {} as Transport })
    const aggregator = sharedLog.aggregator(
      { ...own, aggregate: async () => result },
      cache,
      Prover.create(systemClock),
    )
    const signatures = sharedLog.signatures({
      collect: async () => {
        await aggregator.aggregate({ message, validatorSet, quorumPercentage: 67, deadlineMs: 20_000 })
        const messages = [100n, 105n].map((first) => ({ first, result }))
        return {
          result,
          at: { subnetId: Id.EMPTY, height: 100n, set: validatorSet },
          forDestination: { messages } as unknown as NonNullable<Signed['forDestination']>,
        }
      },
    })
    await signatures.collect({ quorumPercentage: 67 } as AggregateRequest, {} as Limits)
    await sharedLog.close()
    const rows = await server.sql(
      `select p_chain_height::text as height, report->>'signedWeight' as weight
       from firn_aggregator.signed_message order by p_chain_height`,
    )
    expect(rows).toEqual([
      { height: '100', weight: '60' },
      { height: '105', weight: '60' },
    ])
  })

  it('keeps room for signed messages of aggregators when others hand in many', async () => {
    const server = await createTestServer()
    const { writer } = await join(server)
    const { row } = createMessageRow('handed in')
    writer.know(row)
    const add = async (height: number, report: unknown) => {
      writer.addSigned({ ...signedRow(row.message_id, height), report })
      await writer.flush()
    }
    for (let height = 0; height < 66; height++) await add(height, null)
    const count = async () => (await server.sql('select from firn_aggregator.signed_message')).length
    expect(await count()).toBe(64)
    await add(100, {})
    expect(await count()).toBe(65)
  })
})

describe('the listing', () => {
  async function fill(count: number) {
    const server = await createTestServer()
    const log = await join(server)
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      const { row } = createMessageRow(`message ${index}`)
      log.writer.know(row)
      log.writer.addSigned(signedRow(row.message_id, 100 + index))
      ids.unshift(row.message_id)
    }
    await log.writer.flush()
    // Some messages have the same time.
    for (const [index, id] of ids.entries()) {
      const seconds = 1_000 - Math.floor(index / 2)
      await server.sql(
        `update firn_aggregator.message set stored_at = to_timestamp($1::float8) where message_id = decode($2, 'hex')`,
        [seconds, id],
      )
    }
    return { ...log, ids, server }
  }

  it('returns pages that neither repeat nor omit messages while new ones are stored', async () => {
    const { reader, writer, ids } = await fill(7)
    const first = await reader.list({}, 3)
    const { row } = createMessageRow('newer')
    writer.know(row)
    writer.addSigned(signedRow(row.message_id, 200))
    await writer.flush()
    const second = await reader.list({ after: first.next }, 3)
    const third = await reader.list({ after: second.next }, 3)
    const listed = [first, second, third].map((page) =>
      page.messages.map(({ messageId }) => Hex.encodeBare(messageId)),
    )
    expect(listed.map(({ length }) => length)).toEqual([3, 3, 1])
    expect(listed.flat().sort()).toEqual(ids.toSorted())
  })

  it('returns fewer messages, and fewer signed ones of each, if they are large', async () => {
    const { reader, writer, server, ids } = await fill(4)
    writer.addSigned(signedRow(ids[0] ?? '', 500))
    await writer.flush()
    // Each signed message has 6 MB, so that two of one message exceed 8 MiB, and three messages exceed 16 MiB.
    await server.sql(
      `update firn_aggregator.signed_message set signed_message = decode(repeat('ab', 6000000), 'hex') returning true`,
    )
    const first = await reader.list({}, 4)
    const second = await reader.list({ after: first.next }, 4)
    expect([first.messages.length, second.messages.length, second.next]).toEqual([2, 2, undefined])
    const withTwo = await reader.find(Hex.decodeBare(ids[0] ?? ''), false)
    expect(withTwo?.signedMessages.map(({ height }) => height)).toEqual(['500'])
  })

  it('selects by source chain, height and time, with inclusive bounds', async () => {
    const { reader, ids } = await fill(4)
    const list = async (filter: Parameters<typeof reader.list>[0]) =>
      (await reader.list(filter, 100)).messages.map(({ messageId }) => Hex.encodeBare(messageId)).sort()
    expect(await list({ fromHeight: 101n, toHeight: 102n })).toEqual([ids[1], ids[2]].sort())
    expect(await list({ from: 1_000_000, to: 1_000_000 })).toEqual([ids[0], ids[1]].sort())
    expect(await list({ to: 999_999 })).toEqual([ids[2], ids[3]].sort())
    expect(await list({ sourceChain: Id.EMPTY })).toEqual([])
  })

  it('deletes messages that are older than the retention, with everything that belongs to them', async () => {
    const { database, reader, server, ids } = await fill(45)
    const now = await server.sql(
      `update firn_aggregator.message set stored_at = clock_timestamp() where message_id = decode($1, 'hex') returning true`,
      [ids[0]],
    )
    expect(now).toHaveLength(1)
    await deleteExpired({ database, retentionMs: 60_000 })
    expect((await reader.list({}, 100)).messages.map(({ messageId }) => Hex.encodeBare(messageId))).toEqual([
      ids[0],
    ])
    expect(await server.sql('select from firn_aggregator.signed_message')).toHaveLength(1)
  })
})
