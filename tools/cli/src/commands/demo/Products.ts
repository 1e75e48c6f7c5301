import { setTimeout as sleep } from 'node:timers/promises'

/** URLs of the demo's products. */
export type Urls = {
  readonly node: string
  readonly dataApi: string
  readonly aggregator: string
  readonly gateway: string
}

/** Ids and messages of the demo networks that are used as request parameters. */
export type Contents = {
  /** A C-Chain message that the validators have accepted, in hex without `0x`. */
  readonly message: string
  /** Chain id of the local EVM. */
  readonly chainId: number
  /** Name of the demo network in paths. */
  readonly network: string
}

/** A request whose response shows data of a product. */
export type Sample = {
  readonly product: string
  readonly url: string
  /** JSON body of a POST request; undefined for GET. */
  readonly body?: string
  /** Describes the data in the response. Returns undefined if the response contains no data. */
  // biome-ignore lint/suspicious/noExplicitAny: each API's response has its own structure
  readonly describe: (answer: any) => string | undefined
}

/**
 * A request with a description of the data in its response. `found` is undefined if the response contains no
 * data.
 */
export type Shown = Sample & { readonly found: string | undefined }

const count = (list: readonly unknown[] | undefined, name: string): string | undefined =>
  list === undefined || list.length === 0 ? undefined : `${list.length} ${name}`

const call = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Returns the requests of the demo, at least one for each product. */
export const samples = (urls: Urls, { message, chainId, network }: Contents): readonly Sample[] => {
  const { node, dataApi, aggregator, gateway } = urls
  const primary = `${dataApi}/v1/networks/${network}`
  const list = (url: string, name: string): Sample => ({
    product: 'Data API',
    url,
    describe: (answer) => count(answer[name], name),
  })
  return [
    {
      ...{ product: 'node API', url: `${node}/ext/bc/P`, body: call('platform.getCurrentValidators') },
      describe: ({ result }) => count(result?.validators, 'validators'),
    },
    {
      ...{ product: 'node API', url: `${node}/ext/bc/X`, body: call('avm.getHeight') },
      describe: ({ result }) =>
        Number(result?.height) > 0 ? `X-Chain at height ${result.height}` : undefined,
    },
    {
      ...{
        product: 'node API',
        url: `${node}/ext/index/C/block`,
        body: call('index.getLastAccepted', { encoding: 'hex' }),
      },
      describe: ({ result }) => (result?.index > 0 ? `C-Chain at index ${result.index}` : undefined),
    },
    list(`${primary}/blockchains/p-chain/transactions`, 'transactions'),
    list(`${primary}/blockchains/x-chain/transactions`, 'transactions'),
    list(`${primary}/blockchains/c-chain/transactions`, 'transactions'),
    list(`${primary}/validators`, 'validators'),
    list(`${primary}/l1Validators`, 'validators'),
    list(`${primary}/subnets`, 'subnets'),
    list(`${dataApi}/v1/chains/${chainId}/blocks`, 'blocks'),
    list(`${dataApi}/v1/chains/${chainId}/transactions`, 'transactions'),
    {
      product: 'Data API',
      url: `${dataApi}/v1/chains/${chainId}/logs?decode=true`,
      describe: ({ logs = [] }: { logs?: readonly { decoded?: { source?: { kind: string } } }[] }) =>
        count(
          logs.filter(({ decoded }) => decoded?.source?.kind === 'exact'),
          'decoded logs',
        ),
    },
    {
      product: 'Metrics API',
      url: `${dataApi}/v2/chains/${chainId}/metrics/txCount?timeInterval=day`,
      describe: ({ results }) => count(results, 'days of transactions'),
    },
    {
      ...{ product: 'RPC gateway', url: `${gateway}/rpc/${chainId}`, body: call('eth_blockNumber', []) },
      describe: ({ result }) => (Number(result) > 0 ? `block ${Number(result)}` : undefined),
    },
    {
      product: 'signature aggregator',
      url: `${aggregator}/v1/signatureAggregator/${network}/aggregateSignatures`,
      body: JSON.stringify({ message }),
      describe: ({ signedMessage }) => signedMessage && `${signedMessage.length / 2} bytes signed`,
    },
    {
      product: 'signature aggregator',
      url: `${dataApi}/v1/signatureAggregator/${network}/aggregateSignatures`,
      body: JSON.stringify({ message }),
      describe: ({ signedMessage }) => signedMessage && `${signedMessage.length / 2} bytes signed`,
    },
  ]
}

const TIMEOUT_MS = 20_000

const show = async (sample: Sample, signal: AbortSignal): Promise<Shown> => {
  try {
    const response = await fetch(sample.url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(sample.body === undefined
        ? {}
        : { method: 'POST', body: sample.body, headers: { 'content-type': 'application/json' } }),
    })
    const answer: unknown = await response.json()
    return { ...sample, found: response.ok ? sample.describe(answer) : undefined }
  } catch (error) {
    signal.throwIfAborted()
    // A server without a JSON response counts as showing no data.
    if (error instanceof Error) return { ...sample, found: undefined }
    throw error
  }
}

const PAUSE_MS = 250

/**
 * Repeats all requests until each returns data or `patienceMs` has passed. The repetition is needed because
 * EVM blocks appear shortly after the start.
 */
export const showAll = async (
  all: readonly Sample[],
  patienceMs: number,
  signal: AbortSignal,
): Promise<readonly Shown[]> => {
  const until = performance.now() + patienceMs
  const shown = new Map<Sample, Shown>()
  for (;;) {
    for (const sample of all) {
      if (shown.get(sample)?.found === undefined) shown.set(sample, await show(sample, signal))
    }
    const isComplete = [...shown.values()].every(({ found }) => found !== undefined)
    if (isComplete || performance.now() > until) return [...shown.values()]
    await sleep(PAUSE_MS, undefined, { signal })
  }
}
