import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Bytes, Id, Json } from '@firn/codec'
import { PlatformMethods } from '@firn/rpc'
import type { NodeContext } from '../Context.ts'
import * as PlatformApi from '../platform/PlatformApi.ts'
import { createService, type Service } from '../Service.ts'
import { type ChainExchange, type ContextOptions, recordedContext } from './chainReplay.ts'

/** Returns the recorded P-chain exchanges of the given files, in order, with full responses. */
export function platformExchanges(
  ...files: readonly string[]
): readonly (ChainExchange & { readonly response: string })[] {
  const all = lines('platform').map((line) => JSON.parse(line))
  return all.filter(({ file }) => files.includes(file))
}

/**
 * Validator sets of a recorded node at one height: the response for all subnets, and the response for each
 * subnet by its id.
 */
export interface RecordedSets {
  readonly height: number
  readonly all: Json.Json
  readonly bySubnet: Readonly<Record<string, Json.Json>>
}

/** Returns the recorded validator sets for every height. */
export function recordedSets(): readonly RecordedSets[] {
  return lines('validators_at').map((line) => Json.parse(line) as unknown as RecordedSets)
}

function lines(name: string): readonly string[] {
  const packed = readFileSync(new URL(`../../vectors/${name}.jsonl.gz`, import.meta.url))
  return gunzipSync(packed).toString('utf8').trimEnd().split('\n')
}

const L1_SUBNET = Id.parse('249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW')
/** HTTP port of the recorded node that was not a validator. */
const BYSTANDER = 9660

/** Returns the context of the recorded node with the given port. */
export async function platformContext(
  name: 'local' | 'helicon',
  { port = 9650, ...options }: ContextOptions & { readonly port?: number } = {},
): Promise<NodeContext> {
  const context = await recordedContext(name, options)
  const isValidated = (subnetId: Uint8Array) => Bytes.isZero(subnetId) || Bytes.equals(subnetId, L1_SUBNET)
  return {
    ...context,
    ...SIGHT,
    isValidating: async (subnetId) => port !== BYSTANDER && isValidated(subnetId),
  }
}

/** Context members in which every validator is connected and has 50 % uptime. */
export const SIGHT: Pick<NodeContext, 'validators' | 'log'> = {
  validators: async () => ({ uptime: () => 0.5, isConnected: () => true }),
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
}

/** Returns the service of the P-chain's API for a context. */
export function platformService(context: NodeContext): Service {
  return createService(PlatformMethods, PlatformApi.handlers(context))
}

/**
 * Returns a response without the values that the node measured itself: uptime and connection state of
 * validators.
 */
export function masked(answer: string | undefined): string | undefined {
  return answer?.replace(/"uptime":"[0-9.]+","connected":(?:true|false)/g, '"uptime":"…","connected":"…"')
}
