import { isField, type LogFormat, type MethodCosts } from '@firn/gateway'
import { InvalidArgumentError } from 'commander'

/** A chain of `firn gateway`: what its paths are called, and its nodes. */
export type GatewayChain = {
  readonly names: readonly [string, ...string[]]
  readonly urls: readonly [URL, ...URL[]]
}

const NAME = /^[\w-]{1,64}$/

/** One more `--chain <name>[,<name>…]=<url>[,<url>…]`. */
export const chain = (text: string, before: readonly GatewayChain[] = []): readonly GatewayChain[] => {
  const [, left = '', right = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
  const [names, urls] = [left.split(','), right.split(',')]
  const isRight = names.every((name) => NAME.test(name)) && urls.every(isNode)
  if (!isRight) {
    throw new InvalidArgumentError(
      'Expected <chain id>[,<name>…]=<url>[,<url>…], such as 43113,C=http://127.0.0.1:9650/ext/bc/C/rpc.',
    )
  }
  const nodes = urls.map((url) => new URL(url))
  return [...before, { names: names as [string], urls: nodes as [URL] }]
}

const isNode = (url: string): boolean => /^(?:https?|wss?):\/\//.test(url) && URL.canParse(url)

/** Methods separated by commas, `*` standing for any characters. */
export const methods = (text: string, before: readonly string[] = []): readonly string[] => {
  const names = text.split(',')
  if (names.every((name) => /^[\w*.]{1,128}$/.test(name))) return [...before, ...names]
  throw new InvalidArgumentError('Expected methods separated by commas, such as eth_*,net_version.')
}

/** One more `--cost <method>=<credits>`. */
export const cost = (text: string, before: MethodCosts = {}): MethodCosts => {
  const [, method, credits] = /^([\w*.]{1,128})=(\d{1,9})$/.exec(text) ?? []
  if (method !== undefined) return { ...before, [method]: Number(credits) }
  throw new InvalidArgumentError('Expected <method>=<credits>, such as debug_*=500.')
}

/** One more `--field <name>=<member>`. */
export const field = (text: string, before: LogFormat = {}): LogFormat => {
  const [, name = '', member] = /^(\w+)=(\S+)$/.exec(text) ?? []
  if (isField(name) && member !== undefined) return { ...before, [name]: member }
  throw new InvalidArgumentError('Expected <field>=<member>, such as method=request.rpcMethod.')
}
