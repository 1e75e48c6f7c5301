import { createHash } from 'node:crypto'
import { Address, NodeId } from '@firn/codec'
import { InfoMethods, PlatformMethods } from '@firn/rpc'
import { beforeAll, describe, expect, test } from 'vitest'
import type { NodeContext } from './Context.ts'
import { bodyUnits } from './internal/sizes.ts'
import * as PlatformApi from './platform/PlatformApi.ts'
import { createService, type Service } from './Service.ts'
import { recordedContext } from './testing/chainReplay.ts'
import * as Units from './Units.ts'

const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const bytesOf = (size: number, i: number) => createHash('sha256').update(`${i}`).digest().subarray(0, size)
const list = <T>(length: number, at: (i: number) => T): readonly T[] =>
  Array.from({ length }, (_, i) => at(i))
const nodeIds = (count: number) => list(count, (i) => NodeId.format(bytesOf(20, i)))
const addresses = (count: number) =>
  list(count, (i) => Address.format({ chain: 'P', hrp: 'local', payload: bytesOf(20, i) }))
const rpc = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const members = (count: number) => list(count, (i) => `"k${i}":1`).join()

/** Requests that cost much, and the least number of units for each. */
const DEAR: readonly (readonly [name: string, leastUnits: number, body: () => string])[] = [
  [
    'an object with many keys',
    3_400,
    () => `{"jsonrpc":"2.0","id":1,"method":"platform.getHeight","params":{${members(300_000)}}}`,
  ],
  ['a list of numbers', 35_000, () => rpc('platform.getHeight', [{ a: list(350_000, () => 1) }])],
  ['NodeIDs', 2_800, () => rpc('platform.getCurrentValidators', { nodeIDs: nodeIds(20_000) })],
  [
    'the same NodeID',
    2_800,
    () => rpc('platform.getCurrentValidators', { nodeIDs: list(20_000, () => nodeIds(1)[0]) }),
  ],
  ['addresses', 2_900, () => rpc('platform.getUTXOs', { addresses: addresses(20_000) })],
  [
    'the same address',
    2_900,
    () => rpc('platform.getBalance', { addresses: list(20_000, () => `P-${EWOQ}`) }),
  ],
  [
    'a long address',
    4_800,
    () => rpc('platform.getBalance', { addresses: [`P-local1${'q'.repeat(5_000_000)}`] }),
  ],
  ['a long id', 4_800, () => rpc('platform.getTx', { txID: '2'.repeat(5_000_000) })],
  [
    'a long transaction',
    4_800,
    () => rpc('platform.issueTx', { tx: `0x${'00'.repeat(2_500_000)}`, encoding: 'hex' }),
  ],
  ['a long method name', 15_000, () => rpc('é'.repeat(8_000_000), {})],
  [
    'a long body with an error',
    15_000,
    () => `{"jsonrpc":"1","id":1,"method":"a.b","params":"${'<'.repeat(16_000_000)}"}`,
  ],
  ['many samples', 6_500, () => rpc('platform.sampleValidators', { size: 65_535 })],
]

const ATTEMPTS = 6
/** Times that a unit may cost what `JSON.parse` costs for a KiB. */
const MOST_PARSES = 50

/** Returns the processor time (µs) of `JSON.parse` for each KiB of a list of numbers. */
function parseMicros(): number {
  const text = `[${'1,'.repeat(2 ** 19)}1]`
  const runs = list(5, () => {
    const start = process.cpuUsage()
    JSON.parse(text)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_024
  })
  return Math.min(...runs)
}

describe('dear requests', () => {
  let context: NodeContext
  let service: Service
  beforeAll(async () => {
    context = await recordedContext('local')
    const handlers = PlatformApi.handlers({ ...context, issuer: undefined })
    service = createService(PlatformMethods, handlers, { units: Units.METHODS })
  })

  /** Returns the units and the processor time (µs) of a request to a service, and the length of its answer. */
  async function measure(text: string, at = service) {
    const body = new TextEncoder().encode(text)
    let units = Units.REQUEST + bodyUnits(body.length)
    const add = (more: number) => {
      units += Math.max(0, more)
      return 0
    }
    const start = process.cpuUsage()
    const answer = await at.handle(body, { take: add, charge: add })
    const { user, system } = process.cpuUsage(start)
    return { units, micros: user + system, length: answer.body?.length ?? 0 }
  }

  test.each(DEAR)('charges units for %s in proportion to the processor time', async (_, least, body) => {
    const ratios: number[] = []
    // Both are measured in the same moment, so the bound does not depend on the speed of the machine. Some measurements
    // are disturbed by other programs.
    for (let attempt = 0; attempt < ATTEMPTS && !(Math.min(...ratios) < MOST_PARSES); attempt++) {
      const { units, micros, length } = await measure(body())
      expect(units).toBeGreaterThanOrEqual(least)
      expect(length).toBeLessThan(4_000_000)
      ratios.push(micros / units / parseMicros())
    }
    expect(Math.min(...ratios)).toBeLessThan(MOST_PARSES)
  })

  test('refuses a request before it validates parameters or runs a method', async () => {
    const taken: number[] = []
    const budget = {
      take: (units: number) => {
        taken.push(units)
        return units > 100 ? 5_000 : 0
      },
      charge: () => undefined,
    }
    const ask = (text: string) => service.handle(new TextEncoder().encode(text), budget)
    const refused = { body: undefined, invoked: false, waitMs: 5_000 }
    // The list contains no NodeID, which would be an error.
    expect(await ask(rpc('platform.getCurrentValidators', { nodeIDs: list(2_000, () => 1) }))).toEqual(
      refused,
    )
    expect(await ask(rpc('platform.sampleValidators', { size: 1_010 }))).toEqual(refused)
    expect(taken).toEqual([219, 19, 101])
  })
})

test('answers from the cache cost nothing but their request', async () => {
  const kept = new Map<string, string | Uint8Array>()
  const memory = {
    find: (key: string) => kept.get(key),
    begin: (key: string) => (text: string) => void kept.set(key, text),
  }
  const handlers = { 'info.getNetworkID': () => ({ networkID: 12345 }) }
  const service = createService(InfoMethods, handlers, { memory, units: { 'info.getNetworkID': 50 } })
  let units = 0
  const add = (more: number) => {
    units += more
    return 0
  }
  const ask = (id: number) =>
    service.handle(new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id},"method":"info.getNetworkID"}`), {
      take: add,
      charge: add,
    })
  for (const id of [1, 2, 3]) await ask(id)
  expect([units, kept.size]).toEqual([49, 1])
})

test('charges the length of an answer afterwards', async () => {
  const service = createService(PlatformMethods, PlatformApi.handlers(await recordedContext('local')))
  let charged = 0
  const budget = {
    take: () => 0,
    charge: (units: number) => {
      charged += units
    },
  }
  const ask = async (size: number) => {
    const body = new TextEncoder().encode(rpc('platform.sampleValidators', { size }))
    return (await service.handle(body, budget)).body?.length ?? 0
  }
  expect([await ask(5), charged]).toEqual([expect.any(Number), 0])
  const length = await ask(1_000)
  expect([length, charged]).toEqual([expect.any(Number), Math.floor(length / 4_096)])
  expect(charged).toBeGreaterThan(5)
})
