import { createHttpClient, isRpcError, PlatformMethods } from '../browser.ts'

const describe = (error: unknown) =>
  isRpcError(error) ? { code: error.code, maxResponseBytes: error.details.maxResponseBytes } : String(error)

/** Uses the client in a page, with a clock that doesn't wait, and returns what it gets. */
export async function main({ url, silentUrl }: { readonly url: string; readonly silentUrl: string }) {
  const delays: number[] = []
  const clock = { now: Date.now, sleep: async (ms: number) => void delays.push(ms) }
  const options = { url, path: '/ext/bc/P', clock, random: () => 0.5 }
  const client = createHttpClient(PlatformMethods, options)
  const { weights } = await client.call('platform.getFeeConfig')
  const [height, validators, wrong] = await client.batch([
    { method: 'platform.getHeight' },
    { method: 'platform.getCurrentValidators' },
    { method: 'platform.sampleValidators', params: { size: 1 } },
  ])
  const [first] = validators.result?.validators ?? []
  const controller = new AbortController()
  const silent = client.call('platform.getTimestamp', {}, { signal: controller.signal })
  controller.abort()
  const small = createHttpClient(PlatformMethods, { ...options, maxResponseBytes: 10 })
  const unreachable = createHttpClient(PlatformMethods, { ...options, url: silentUrl })
  return {
    weights,
    height: height.result?.height,
    nodeId: first?.nodeID,
    weight: first?.weight,
    wrong: wrong.error?.code,
    aborted: await silent.catch(describe),
    oversize: await small.call('platform.getHeight').catch(describe),
    unreachable: await unreachable.call('platform.getHeight').catch(describe),
    delays,
  }
}
