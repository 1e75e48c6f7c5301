import { Json } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { answerOf, recordedUpstream } from '../testing/chainReplay.ts'
import {
  masked,
  platformContext,
  platformExchanges,
  platformService,
  recordedSets,
} from '../testing/platformReplay.ts'
import * as PlatformApi from './PlatformApi.ts'

const methodOf = (request: string) => (Json.parse(request) as { readonly method: string }).method

describe('recorded exchanges, byte for byte', () => {
  test.each([
    ['platform', 'local', {}, 112],
    ['platform_more', 'local', {}, 325],
    ['helicon-platform-before', 'helicon', { heights: { P: 11n } }, 11],
    ['helicon-platform-after', 'helicon', { heights: { P: 43n } }, 35],
  ] as const)('replays the recorded exchanges of %s', async (file, network, options, count) => {
    const exchanges = platformExchanges(file)
    expect(exchanges.length).toBe(count)
    const issued = exchanges.filter(({ request }) => methodOf(request) === 'platform.issueTx')
    const upstream = recordedUpstream(issued)
    const services = new Map<number, ReturnType<typeof platformService>>()
    for (const { port, request, response } of exchanges) {
      if (!services.has(port))
        services.set(port, platformService(await platformContext(network, { ...options, upstream, port })))
      const answer = await answerOf(services.get(port), request)
      if (methodOf(request) === 'platform.sampleValidators') expectLikeSample(answer, response)
      else expect(masked(answer), request).toBe(masked(response))
    }
  })
})

interface Sample {
  readonly result?: { readonly validators: readonly string[] }
}

/**
 * Compares only sample sizes and errors with the recorded response, because the sampled validators are
 * random.
 */
function expectLikeSample(answer: string | undefined, response: string): void {
  const drawn = (Json.parse(answer ?? '') as Sample).result
  const recorded = (Json.parse(response) as Sample).result
  if (recorded === undefined) expect(answer).toBe(response)
  else expect(drawn?.validators.length).toBe(recorded.validators.length)
}

test('returns the recorded validator sets for every height and subnet', async () => {
  const service = platformService(await platformContext('local'))
  const ask = async (method: string, params: object) => {
    const request = Json.stringify({ jsonrpc: '2.0', method, params: params as Json.Json, id: 1 })
    return (await answerOf(service, request))?.trimEnd()
  }
  let count = 0
  for (const { height, all, bySubnet } of recordedSets()) {
    expect(await ask('platform.getAllValidatorsAt', { height })).toBe(Json.stringify(all))
    for (const [subnetId, set] of Object.entries(bySubnet)) {
      expect(await ask('platform.getValidatorsAt', { height, subnetID: subnetId })).toBe(Json.stringify(set))
      count += 1
    }
  }
  expect(count).toBe(301)
})

/**
 * Each row contains a P-chain height, a time in milliseconds, and the height that a node proposed at that
 * time.
 */
test.each([
  [37n, 1_795_217_473_210, '24'],
  [51n, 1_795_217_664_304, '46'],
  [51n, 1_795_217_694_304, '51'],
])(
  'proposes the same height as the recorded node for P-chain height %i at time %i: %s',
  async (P, now, height) => {
    const context = await platformContext('local', { heights: { P } })
    const service = platformService({ ...context, now: () => now })
    const ask = async (method: string, params: object) => {
      const request = Json.stringify({ jsonrpc: '2.0', method, params: params as Json.Json, id: 1 })
      return answerOf(service, request)
    }
    expect(await ask('platform.getProposedHeight', {})).toContain(`"height":"${height}"`)
    for (const method of ['platform.getValidatorsAt', 'platform.getAllValidatorsAt'])
      expect(await ask(method, { height: 'proposed' })).toBe(await ask(method, { height }))
  },
)

test('returns the same results after new blocks arrive for methods whose results never expire', async () => {
  const [early, late] = await Promise.all(
    [40n, 85n].map(async (P) => platformService(await platformContext('local', { heights: { P } }))),
  )
  const isForever = (method: string) =>
    (PlatformApi.FRESHNESS as Readonly<Record<string, string>>)[method] === 'forever'
  let count = 0
  for (const { request } of platformExchanges('platform', 'platform_more')) {
    if (!isForever(methodOf(request))) continue
    const answer = await answerOf(early, request)
    if (answer?.includes('"error"')) continue
    expect(await answerOf(late, request), request).toBe(answer)
    count += 1
  }
  expect(count).toBeGreaterThan(40)
})
