import type { Decoded } from '@firn/client'

type Source = NonNullable<Decoded['source']>

const VERIFIED = {
  exact: 'verified source',
  partial: 'source that is verified except for its metadata,',
} as const

/** Returns where a signature is from, in words. */
export function sourceText({ kind, contract, contractName, proxy }: Source): string {
  if (kind === 'selectors' || kind === 'standard') {
    const list = kind === 'standard' ? 'common standards' : 'a list of signatures'
    return `A guess from ${list}: the source of the contract is not verified.`
  }
  const named = contractName === undefined ? '' : ` (${contractName})`
  const own = `Decoded by the ${VERIFIED[kind]} of ${contract}${named}`
  if (proxy === undefined) return `${own}.`
  return `${own}, the implementation of the proxy${BASIS[proxy.basis](proxy.blockNumber)}.`
}

const BASIS = {
  code: () => '',
  event: (block: string | undefined) => ` since its upgrade in block ${block}`,
  reading: (block: string | undefined) =>
    block === undefined ? ', as first read from it' : `, as read from it at block ${block}`,
} as const

/** Returns a value as text: one line for a simple value, and a line for each element of arrays and tuples. */
export function valueText(value: unknown, indent = ''): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : String(value)
  if (value.length === 0) return '[]'
  const inner = `${indent}  `
  const elements = value.map((one) => `${inner}${Array.isArray(one) ? valueText(one, inner) : quoted(one)}`)
  return `[\n${elements.join(',\n')}\n${indent}]`
}

/** Texts in lists are quoted, so that they cannot look like other elements. */
function quoted(value: unknown): string {
  const isPlain = typeof value !== 'string' || /^(?:-?\d+|0x[0-9a-fA-F]*)$/.test(value)
  return isPlain ? String(value) : JSON.stringify(value)
}
