import { chainId, chainOf } from '../../evm/chain/EvmContext.ts'
import * as EvmParameters from '../../evm/chain/parameters.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as members from '../common/members.ts'
import * as Source from '../common/Source.ts'
import { MOST_KEYS, type WebhookContext } from '../common/WebhookContext.ts'

/** Maximum number of ids in a list. */
export const MOST_IDS = 64

/** The rules of a list of EVM addresses. */
export const EVM_ADDRESSES: members.ListRules<Uint8Array> = {
  expected: EvmParameters.addresses.expected.replace(/^.*?addresses/, 'addresses').replace(/,.*$/, ''),
  most: MOST_KEYS,
  parse: (text) => EvmParameters.address.parse([text]),
}

/**
 * Reads the EVM chain of a webhook.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND`, `DATA_UNAVAILABLE`
 */
export async function readChain(body: members.Members, context: WebhookContext) {
  const chain = members.required(body, 'chainId', members.text(body, 'chainId', 64), 'a chain id')
  const parameter = chainId(context.evm)
  await parameter.prepare?.([chain])
  const parsed = parameter.parse([chain])
  if (parsed === undefined) throw Parameter.refused('chainId', parameter.expected, 'another text')
  return { chain, parsed, served: chainOf(context.evm, parsed) }
}

/** An amount in words. */
export const AMOUNT = 'an amount in nAVAX, as decimal text'

/**
 * Reads an amount in nAVAX, or undefined if it is absent.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function readAmount(from: members.Members, name: string): string | undefined {
  const amount = members.text(from, name, 20)
  if (amount === undefined || /^[0-9]+$/.test(amount)) return amount
  throw Parameter.refused(members.pathOf(from, name), AMOUNT, 'another text')
}

/**
 * Reads a list of ids, and returns their texts.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function readIds(
  metadata: members.Members,
  name: string,
  parse: (text: string) => Uint8Array | undefined,
  format: (bytes: Uint8Array) => string,
): readonly string[] {
  const rules = { expected: `ids (${name})`, most: MOST_IDS, parse }
  return (members.list(metadata, name, rules) ?? []).map((bytes) => format(bytes))
}

/**
 * Reads the kinds of events to send.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function readSubEvents<const T extends string>(
  metadata: members.Members,
  name: string,
  words: readonly T[],
): readonly T[] {
  const subEvents = members.inner(metadata, 'subEvents')
  const expected = `values of ${words.join(', ')}`
  const listed =
    subEvents &&
    members.list(subEvents, name, {
      expected,
      most: words.length,
      parse: (text) => words.find((word) => word === text),
    })
  if (listed === undefined || listed.length === 0)
    throw Parameter.refused(`metadata.subEvents.${name}`, `a list of ${expected}`, 'nothing')
  return listed
}

/**
 * Returns the served network that the body names.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND`
 */
export function primaryOf(body: members.Members, { primary }: WebhookContext) {
  if (primary === undefined)
    throw new DataApiError('DATA_NOT_FOUND', 'eventType: this service does not serve the Primary Network')
  const network = members.required(body, 'network', members.text(body, 'network', 64), 'a network')
  if (!primary.networkNames.has(network)) {
    const expected = `one of ${[...primary.networkNames.keys()].join(', ')}`
    throw Parameter.refused('network', expected, 'another one')
  }
  return primary
}

/**
 * Returns the height of the newest block of a source of the Primary Network.
 * @throws DataApiError `DATA_NOT_FOUND` if this service does not serve the Primary Network
 */
export async function primaryPosition(source: string, { primary }: WebhookContext): Promise<bigint> {
  if (primary === undefined)
    throw new DataApiError('DATA_NOT_FOUND', 'this service does not serve the chain of the webhook')
  return (await primary.store.snapshot())[Source.primaryChain(source)].height
}
