/** Kinds of APIs that the pages call. */
export type ApiKind = 'data' | 'metrics' | 'node' | 'aggregator' | 'gateway' | 'indexer' | 'operate'

/** A page of the console: its address, its title, and what it needs. */
export interface Route {
  /** Path after `#`, with parameters such as `:txId`. */
  readonly path: string
  readonly title: string
  /** The APIs that the page calls. Without one of them, the page is not in the menu. */
  readonly needs: readonly ApiKind[]
  /** Data for operators that the page shows. Without it, the page is not in the menu. */
  readonly part?: 'indexing' | 'peers' | 'upstreams' | 'limits' | 'keys' | 'log'
  /** Place in the menu; absent if other pages link to this page. */
  readonly menu?: MenuGroup
}

/** Groups of the menu, in their order. */
export const MENU_GROUPS = ['Overview', 'Primary Network', 'Warp', 'EVM chains', 'Operate'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

/** All pages of the console. `Pages.ts` has the module of each. */
export const ROUTES = {
  home: { path: '/', title: 'Home', needs: [], menu: 'Overview' },
  search: { path: '/search', title: 'Search', needs: [] },
  settings: { path: '/settings', title: 'Settings', needs: [], menu: 'Overview' },
  webhooks: { path: '/webhooks', title: 'Webhooks', needs: ['data'], menu: 'Overview' },
  webhook: { path: '/webhooks/:webhookId', title: 'Webhook', needs: ['data'] },
  validators: {
    path: '/p/validators',
    title: 'Validators',
    needs: ['data'],
    menu: 'Primary Network',
  },
  validator: { path: '/p/validators/:nodeId', title: 'Validator', needs: ['data'] },
  subnets: { path: '/p/subnets', title: 'Subnets and L1s', needs: ['data'], menu: 'Primary Network' },
  subnet: { path: '/p/subnets/:subnetId', title: 'Subnet', needs: ['data'] },
  blockchain: { path: '/p/blockchains/:blockchainId', title: 'Blockchain', needs: ['data'] },
  blocks: { path: '/p/blocks', title: 'Blocks', needs: ['data'], menu: 'Primary Network' },
  block: { path: '/p/blocks/:chain/:blockId', title: 'Block', needs: ['data'] },
  transactions: {
    path: '/p/txs',
    title: 'Transactions',
    needs: ['data'],
    menu: 'Primary Network',
  },
  transaction: { path: '/p/tx/:txId', title: 'Transaction', needs: ['data'] },
  address: { path: '/p/address/:address', title: 'Address', needs: ['data'] },
  supply: { path: '/p/supply', title: 'Supply and fees', needs: ['data'], menu: 'Primary Network' },
  warpMessages: { path: '/warp/messages', title: 'Messages', needs: ['aggregator'], menu: 'Warp' },
  warpMessage: { path: '/warp/messages/:message', title: 'Warp message', needs: [] },
  warpTransaction: { path: '/warp/tx/:txHash', title: 'Warp messages of a transaction', needs: [] },
  warpQuorums: { path: '/warp/quorums', title: 'Quorum by subnet', needs: ['aggregator'], menu: 'Warp' },
  warpQuorum: { path: '/warp/quorums/:subnetId', title: 'Quorum of a subnet', needs: ['aggregator'] },
  warpVerify: { path: '/warp/verify', title: 'Verify a proof', needs: [], menu: 'Warp' },
  evmChains: { path: '/evm', title: 'Chains', needs: ['data'], menu: 'EVM chains' },
  evmChain: { path: '/evm/:chainId', title: 'EVM chain', needs: ['data'] },
  evmBlocks: { path: '/evm/:chainId/blocks', title: 'Blocks of an EVM chain', needs: ['data'] },
  evmBlock: { path: '/evm/:chainId/blocks/:blockId', title: 'Block of an EVM chain', needs: ['data'] },
  evmTransactions: {
    path: '/evm/:chainId/txs',
    title: 'Transactions of an EVM chain',
    needs: ['data'],
  },
  evmTransaction: {
    path: '/evm/:chainId/tx/:txHash',
    title: 'Transaction of an EVM chain',
    needs: ['data'],
  },
  evmAddress: { path: '/evm/:chainId/address/:address', title: 'Address of an EVM chain', needs: ['data'] },
  evmToken: { path: '/evm/:chainId/token/:address', title: 'Contract of an EVM chain', needs: ['data'] },
  metrics: { path: '/metrics', title: 'Metrics', needs: ['data', 'metrics'], menu: 'EVM chains' },
  evmNft: { path: '/evm/:chainId/nft/:address/:tokenId', title: 'Token of an EVM chain', needs: ['data'] },
  operateProgress: {
    path: '/operate/progress',
    title: 'Indexing and checks',
    needs: ['operate'],
    part: 'indexing',
    menu: 'Operate',
  },
  operatePeers: {
    path: '/operate/peers',
    title: 'Peers',
    needs: ['operate'],
    part: 'peers',
    menu: 'Operate',
  },
  operateUpstreams: {
    path: '/operate/upstreams',
    title: 'Upstreams',
    needs: ['operate'],
    part: 'upstreams',
    menu: 'Operate',
  },
  operateLimits: {
    path: '/operate/limits',
    title: 'Limits and usage',
    needs: ['operate'],
    part: 'limits',
    menu: 'Operate',
  },
  operateKeys: {
    path: '/operate/keys',
    title: 'API keys',
    needs: ['operate'],
    part: 'keys',
    menu: 'Operate',
  },
  operateLog: { path: '/operate/log', title: 'Log', needs: ['operate'], part: 'log', menu: 'Operate' },
} as const satisfies Readonly<Record<string, Route>>

export type RouteName = keyof typeof ROUTES
/** Pages for operators. */
export type OperateRouteName = Extract<RouteName, `operate${string}`>
/** Pages of webhooks. */
export type WebhookRouteName = Extract<RouteName, `webhook${string}`>
/** Pages of Warp messages and quorums. */
export type WarpRouteName = Extract<RouteName, `warp${string}`>

type ParametersIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** Parameters in the path of a page. */
export type Parameters<N extends RouteName> = {
  readonly [K in ParametersIn<(typeof ROUTES)[N]['path']>]: string
}

/** Values after `?` in the address of a page. */
export type Query = Readonly<Record<string, string | undefined>>

/** Returns the link to a page. */
export function link<N extends RouteName>(
  name: N,
  ...[parameters, query = {}]: Record<never, never> extends Parameters<N>
    ? [parameters?: Parameters<N>, query?: Query]
    : [parameters: Parameters<N>, query?: Query]
): string {
  const values: Readonly<Record<string, string>> = parameters ?? {}
  const path = ROUTES[name].path.replace(/:(\w+)/g, (_, key) => encodeURIComponent(values[key] ?? ''))
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `#${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}

/** The page that an address after `#` names. */
export interface Place {
  readonly name: RouteName
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** Returns the page for an address after `#`; undefined if there is none. */
export function match(hash: string): Place | undefined {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?')
  const parts = split(path === '' ? '/' : path)
  for (const [name, route] of Object.entries(ROUTES)) {
    const parameters = matchParts(split(route.path), parts)
    if (parameters === undefined) continue
    return { name: name as RouteName, parameters, query: Object.fromEntries(new URLSearchParams(search)) }
  }
  return undefined
}

function split(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '')
}

function matchParts(pattern: readonly string[], parts: readonly string[]) {
  if (pattern.length !== parts.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (expected.startsWith(':')) parameters[expected.slice(1)] = decode(part)
    else if (expected !== part) return undefined
  }
  return parameters
}

/** Decodes a part of a path. Text that is not valid percent-encoding is returned as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
