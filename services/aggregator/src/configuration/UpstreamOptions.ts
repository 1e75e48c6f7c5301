import { Hex, Id, isJsonObject } from '@firn/codec'
import { Type } from '@firn/options'

/** One node API: its base URL, and the query parameters and headers of every request. */
export interface Upstream {
  readonly baseUrl: string
  readonly queryParameters: Readonly<Record<string, string>>
  readonly httpHeaders: Readonly<Record<string, string>>
}

/** The node API for one chain. `baseUrl` is the URL of a node, or of the chain's RPC endpoint on a node. */
export interface ChainRpc extends Upstream {
  /** Id of the chain in cb58. */
  readonly blockchainId: string
}

/** A peer whose address is configured manually. */
export interface Peer {
  readonly id: string
  readonly ip: string
}

const isTexts = (json: unknown): json is Readonly<Record<string, string>> =>
  isJsonObject(json) && Object.values(json).every((member) => typeof member === 'string')

/**
 * Converts a URL, or the corresponding object in the Go service's file, to an upstream. The object's keys may
 * also be in camel case.
 */
function toUpstream(json: unknown): Upstream | undefined {
  if (typeof json === 'string') return toUpstream({ baseUrl: json })
  if (!isJsonObject(json)) return undefined
  const camel = (key: string) => key.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())
  const members = Object.fromEntries(Object.entries(json).map(([key, member]) => [camel(key), member]))
  const { baseUrl, queryParameters = {}, httpHeaders = {}, ...unknown } = members
  if (typeof baseUrl !== 'string' || !/^https?:\/\/\S+$/.test(baseUrl)) return undefined
  if (!isTexts(queryParameters) || !isTexts(httpHeaders) || Object.keys(unknown).length > 0) return undefined
  return { baseUrl, queryParameters, httpHeaders }
}

/** Converts `<blockchainId>=<url>`, or an object with the blockchain id and an upstream, to a chain's node API. */
function toChainRpc(json: unknown): ChainRpc | undefined {
  if (typeof json === 'string') {
    const [, id, url] = /^([^=]*)=(.*)$/s.exec(json) ?? []
    return toChainRpc({ 'blockchain-id': id, 'base-url': url })
  }
  if (!isJsonObject(json)) return undefined
  const { 'blockchain-id': dashed, blockchainId: given = dashed, ...rest } = json
  const blockchainId = typeof given === 'string' ? toBlockchainId(given) : undefined
  const upstream = toUpstream(rest)
  return blockchainId === undefined || upstream === undefined ? undefined : { blockchainId, ...upstream }
}

/** Returns the id in cb58; undefined if the text is neither cb58 nor 64 hex digits. */
function toBlockchainId(text: string): string | undefined {
  try {
    return Id.format(/^(?:0x)?[0-9a-fA-F]{64}$/.test(text) ? Hex.decodeAny(text) : Id.parse(text))
  } catch {
    return undefined
  }
}

function toPeer(json: unknown): Peer | undefined {
  if (!isTexts(json) || Object.keys(json).length !== 2) return undefined
  const { id = '', ip = '' } = json
  return id.startsWith('NodeID-') && /^.+:\d+$/.test(ip) ? { id, ip } : undefined
}

/**
 * Returns the option type of a list that is given as JSON or as a single item. In flags, commas may separate
 * several items.
 */
function listOf<T>(
  placeholder: string,
  expected: string,
  toItem: (json: unknown) => T | undefined,
): Type.Type<readonly T[]> {
  const fromJson = (json: unknown) => {
    const items = [json].flat().map(toItem)
    return items.includes(undefined) ? undefined : (items as readonly T[])
  }
  const parse = (text: string) => {
    if (/^\s*[[{]/.test(text)) return Type.json(expected, fromJson).parse(text)
    return fromJson(text.split(',').flatMap((part) => part.trim() || []))
  }
  const combine = (before: readonly T[], next: readonly T[]) => [...before, ...next]
  return Type.create({ placeholder, expected, parse, fromJson, combine, format: () => 'none' })
}

/** Type of options that name node APIs. */
export const UPSTREAMS = listOf(
  'url,…',
  'an http(s) URL, an object {base-url, query-parameters, http-headers}, or a list of these',
  toUpstream,
)
/** Type of options that name the node APIs of chains. */
export const CHAIN_RPCS = listOf(
  'blockchainId=url,…',
  'a blockchain id, = and an http(s) URL, an object {blockchain-id, base-url, query-parameters, http-headers}, or a list of these',
  toChainRpc,
)
/** Type of options that name peers. */
export const PEERS = listOf('json', 'a list of objects {"id":"NodeID-…","ip":"address:port"}', toPeer)
