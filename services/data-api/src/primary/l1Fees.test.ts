import { Id } from '@firn/codec'
import { database } from '@firn/sql/testing'
import { Store, Writer } from '@firn/store'
import { Recordings, recordedStore } from '@firn/store/testing'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { stakingMetricsEndpoints } from '../metrics/Endpoints.ts'
import { contextOf } from '../testing/serve.ts'
import { createEvm } from '../testing/serveEvm.ts'
import { byDay } from './l1Fees.ts'

/**
 * What each validation of the recorded network paid, in nAVAX. The recorded node charged 1 nAVAX per second until the last
 * block at 1795219181, so these are seconds between blocks. The node's final balances say the same.
 */
const PAID: Readonly<Record<string, number>> = {
  // Registered at 1795217663 and 1795218019, with balances left at the end.
  '284uXyXXRpHkR5DDGbHhwdaFnFuJCeMvXP8Q6p1rafrcpnK1Su': 1_518,
  '28vXDmGzTNPYZrDYLLegiuYwnfQTgSVzeUoW3N9fDmUdyigpDo': 1_518,
  '2JCK3HJcnPpoHLGanLi4vGTNKZdrcPnWmLPcRuBwg9c4HD1jSB': 1_518,
  PWhfAD5iBmdgXT3HPLXVVJiT2SJLUhw8v14MfeNpjczZQCRR2: 1_518,
  ZCwgWT8sJKQrdv8LE1At61m4u6o1PFva6YFxiSqX9JQYkzrAy: 1_518,
  qtt7okgXogUVacvsEBugzJGQddPU3K5o5pFYfMQfjFSGqzm39: 1_162,
  AefYBF7QxozdFbkZHXKE9W9JTwUzbauUaMWtzQp5cgDLFqTvT: 1_162,
  eUg8PLvtaf7J5f3oa7KDSkp5eM9P6Zax2PmAYd1UeaP33tbLm: 1_162,
  PZEsgSnLDDSQktJBiPGsYtxbcU4ndxxvCv5EzxnetoZrXD3Sm: 1_162,
  // Disabled for the second after 1795218776.
  N96xQ4hwLA9fAVXLB6AdFSkcmsgGsjK4EPuVQpMZaDczpH38N: 757 + 404,
  '2U56CN3BpPKKjk43XwGyEG9tHZquSUyE6t7LPTPdeZm2nyc2cm': 1_517,
  // A balance of 240 that ran out, and a payment at 1795218702.
  oRqx8kdYAwrnJz2xu8LAubvrDnGsFX5KTfZ3Q3MSp5SudSupP: 240 + 479,
  // Removed at 1795218780, 1795219181 and 1795218778.
  '6WF6k8AsUsbrcxNoQCrmNZ9Nzz2a3zuwCXnXxDABjMUH5FGUN': 1_116,
  YZDVkbBGceEBQwBjYJo2czHdRmpzk1ugEqmL6CkzkQigjNQjW: 489,
  '2FvwdT8TNjmwk4oBLN8nqMuBMy3ZFStUVVYbV9bEuvJCNmtsSS': 14,
  // Disabled at 1795218773 and paid for again a second later; disabled at 1795218775.
  '2scVH4wWepCFYyzuV8Se9AeWbyQzswm4HMUPRDznkZ5U3XkVCk': 11 + 407,
  ow8qtEA5cnmNaEXsFgC8mAb3x8kw3uFVfdHKxFDCmtUcCwhUc: 9,
}
const DAY = 1_795_132_800
const TOTAL = 17_681

async function serve(store: Store) {
  const server = await createEvm(stakingMetricsEndpoints(await contextOf(store, {})))
  return async (path: string) => {
    const answer = await server.inject(`/v2/${path}`)
    return { status: answer.statusCode, ...answer.json() }
  }
}

describe('fees of L1 validators', () => {
  let ask: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    ask = await serve(await recordedStore('local'))
  })

  test('are what each validation paid by its seconds', async () => {
    expect(Object.values(PAID).reduce((sum, paid) => sum + paid, 0)).toBe(TOTAL)
    for (const [validation, value] of Object.entries(PAID)) {
      for (const metric of ['validationFeesDaily', 'validationCumulativeFeesDaily']) {
        const { results } = await ask(`validation/${validation}/metrics/${metric}`)
        expect([validation, metric, results]).toEqual([validation, metric, [{ value, timestamp: DAY }]])
      }
    }
  })

  test('are added up for a node, a subnet and all', async () => {
    const l1 = 'subnet/249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW/metrics'
    const values = {
      'validators/metrics/totalValidatorFeesDaily': TOTAL,
      'validators/metrics/totalCumulativeFeesDaily': TOTAL,
      'validators/metrics/totalPayingValidatorsDaily': Object.keys(PAID).length,
      // This node validates both L1s that run.
      'validator/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg/metrics/perNodeDailyFeesPaid': 1_518 + 1_162,
      [`${l1}/perSubnetPayingValidators`]: 6,
      [`${l1}/perSubnetDailyFeesPaid`]: 4 * 1_162 + 1_161 + 489,
      [`${l1}/perSubnetCumulativeFeesPaid`]: 4 * 1_162 + 1_161 + 489,
    }
    for (const [path, value] of Object.entries(values)) {
      const { results } = await ask(path)
      expect([path, results]).toEqual([path, [{ value, timestamp: DAY }]])
    }
  })

  test('have no points outside the time range, and are 404 for what the network never had', async () => {
    const total = 'validators/metrics/totalValidatorFeesDaily'
    expect((await ask(`${total}?startTimestamp=${DAY}&endTimestamp=${DAY + 1}`)).results).toHaveLength(1)
    expect((await ask(`${total}?startTimestamp=${DAY + 1}`)).results).toEqual([])
    expect((await ask(`${total}?endTimestamp=${DAY}`)).results).toEqual([])
    expect((await ask(`subnet/${Id.format(Id.EMPTY)}/metrics/perSubnetDailyFeesPaid`)).status).toBe(404)
    expect((await ask(`validation/${Id.format(Id.EMPTY)}/metrics/validationFeesDaily`)).status).toBe(404)
    const node = 'NodeID-111111111111111111116DBWJs'
    expect((await ask(`validator/${node}/metrics/perNodeDailyFeesPaid`)).status).toBe(404)
  })
})

test('distributes fees over the days in which blocks charged them', async () => {
  const { genesis, constants, chains } = Recordings.load('local')
  const store = await Store.open({})
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...Recordings.follow(state, chains)])
  // As if a day without blocks had passed before block 70.
  const later = sql`time = time + 172800`
  await sql`update block set ${later} where chain = 'P' and height >= 70`.execute(database(store))
  await sql`update cursor set ${later} where chain = 'P'`.execute(database(store))
  await expect.poll(async () => (await store.snapshot()).P.time).toBe(1_795_219_181n + 172_800n)
  const reopened = await serve(store)
  const points = async (path: string) =>
    (await reopened(path)).results.map(({ value, timestamp }: Record<string, number>) => [timestamp, value])
  const days = (first: number, second: number, last: number) => [
    [DAY + 172_800, last],
    [DAY + 86_400, second],
    [DAY, first],
  ]
  // Until block 69 at 1795218702: five since 663, five since 019, three since 664 of which one until 904, and one since 692.
  const first = 5 * 1_039 + 5 * 683 + 2 * 1_038 + 240 + 10
  for (let i = 0; i < 2; i++) {
    expect(await points('validators/metrics/totalValidatorFeesDaily')).toEqual(days(first, 0, TOTAL - first))
    expect(await points('validators/metrics/totalCumulativeFeesDaily')).toEqual(days(first, first, TOTAL))
    expect(await points('validators/metrics/totalPayingValidatorsDaily')).toEqual(days(14, 0, 17))
  }
  const one = 'validation/YZDVkbBGceEBQwBjYJo2czHdRmpzk1ugEqmL6CkzkQigjNQjW/metrics'
  expect(await points(`${one}/validationFeesDaily`)).toEqual(days(10, 0, 479))
  await store.close()
})

test('counts a validator once a day, however often its record changed', () => {
  const validationId = Id.EMPTY
  const charges = [
    { validationId, from: 5n, to: 8n },
    { validationId, from: 8n, to: 30n },
    { validationId: Id.hash(Id.EMPTY), from: 20n, to: 21n },
  ]
  const days = [10n, 10n, 25n, 40n].map((accrued, i) => ({ day: BigInt(i), accrued }))
  expect(byDay(charges, days)).toEqual([
    { day: 0n, fees: 5n, paying: 1n },
    { day: 1n, fees: 0n, paying: 0n },
    { day: 2n, fees: 15n + 1n, paying: 2n },
    { day: 3n, fees: 5n, paying: 1n },
  ])
})

describe('addresses that receive rewards of validators', () => {
  test('returns the addresses of the validators in the time range, the last started first', async () => {
    const ask = await serve(await recordedStore('local'))
    const path = `subnets/${Id.format(Id.EMPTY)}/validators:getAddresses`
    const read = async (query: string) => {
      const found: { addresses: string[]; sortKey: string }[] = []
      for (let token = ''; ; ) {
        const page = await ask(`${path}?pageSize=2&network=fuji${query}${token && `&pageToken=${token}`}`)
        found.push(...page.addresses)
        token = page.nextPageToken ?? ''
        if (token === '') return found
      }
    }
    const { genesis, constants } = Recordings.load('local')
    const all = await read('')
    const starts = all.map(({ sortKey }) => Number(sortKey))
    expect(starts).toEqual(starts.toSorted((a, b) => b - a))
    expect(starts.slice(-5)).toEqual(Array(5).fill(Number(genesis.platform.timestamp)))
    expect(all.every(({ addresses }) => addresses.every((one) => one.startsWith(constants.hrp)))).toBe(true)
    // The genesis validators run throughout; the others started later.
    expect(await read(`&endTimestamp=${Number(genesis.platform.timestamp) + 1}`)).toEqual(all.slice(-5))
    const [latest = 0] = starts
    expect(await read(`&endTimestamp=${latest}`)).toEqual(
      all.filter(({ sortKey }) => Number(sortKey) < latest),
    )
  })
})
