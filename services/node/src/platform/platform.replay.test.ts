import { Json } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { answerOf, recordedUpstream } from '../testing/chainReplay.ts'
import { masked, platformContext, platformExchanges, platformService } from '../testing/platformReplay.ts'

const methodOf = (request: string) => (Json.parse(request) as { readonly method: string }).method

describe('the recorded exchanges come out byte for byte', () => {
  test.each([
    ['platform', 'local', {}, 112],
    ['platform_more', 'local', {}, 325],
    ['helicon-platform-before', 'helicon', { heights: { P: 11n } }, 11],
    ['helicon-platform-after', 'helicon', { heights: { P: 43n } }, 35],
  ] as const)('%s', async (file, network, options, count) => {
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

/** Which validators were drawn is chance; how many, and that errors are the same, is not. */
function expectLikeSample(answer: string | undefined, response: string): void {
  const drawn = (Json.parse(answer ?? '') as Sample).result
  if (drawn === undefined) return expect(answer).toBe(response)
  const count = (Json.parse(response) as Sample).result?.validators.length
  expect(drawn.validators.length).toBe(count)
}
