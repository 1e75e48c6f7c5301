import type { UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayOptions } from '../Gateway.ts'
import { type Behaviour, fakeNode, well } from '../testing/fakeNode.ts'
import { call, openGateway, type TestGateway } from '../testing/gateways.ts'

let usage: UsageStore
let open: TestGateway[] = []
beforeAll(async () => {
  usage = await openUsage()
})
afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open = []
})
afterAll(() => usage.close())

async function start(behaviours: readonly Behaviour[] = [well], more: Partial<GatewayOptions> = {}) {
  const gateway = await openGateway(behaviours, usage, more)
  open.push(gateway)
  return gateway
}

describe('methods over HTTP', () => {
  test.each([
    ['in another case', '"ETH_CALL"', /the method ETH_CALL is not available/],
    ['with escapes', '"eth_sendTransactio\\u006e"', /the method eth_sendTransaction is not available/],
    ['with a space', '"eth_call "', /printable ASCII/],
    ['with a zero byte', '"eth_call\\u0000"', /printable ASCII/],
    ['with a letter that looks alike', '"eth_\u0441all"', /printable ASCII/],
    ['that every object has', '"constructor"', /the method constructor is not available/],
    ['that is a list', '["eth_call"]', /"method" to be a string/],
    ['that signs for another', '"eth_resend"', /the method eth_resend is not available/],
  ])('refuses a method name %s, alone and in a batch', async (_, name, message) => {
    const { post, nodes } = await start()
    const bad = `{"jsonrpc":"2.0","id":1,"method":${name}}`
    for (const body of [bad, `[${call('eth_call', 2)},${bad}]`]) {
      const errors = [JSON.parse((await post(body)).text)].flat().map(({ error }) => error.message)
      expect(errors).toEqual(errors.map(() => expect.stringMatching(message)))
    }
    expect(nodes[0]?.bodies).toEqual([])
  })

  test('forwards a method that is named by an option', async () => {
    const { url } = await fakeNode()
    const chains = [
      {
        names: ['43114'] as const,
        urls: [url] as const,
        allowMethods: ['debug_traceTransaction'],
        deny: ['eth_c*'],
      },
    ]
    const { post } = await start([], { chains })
    const ask = async (method: string) => {
      const { text } = await post(call(method))
      return JSON.parse(text).error === undefined
    }
    const methods = ['debug_traceTransaction', 'eth_getBalance', 'eth_call', 'debug_traceBlock']
    expect(await Promise.all(methods.map(ask))).toEqual([true, true, false, false])
  })
})
