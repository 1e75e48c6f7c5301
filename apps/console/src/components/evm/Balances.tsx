import type { BalanceSource } from '@firn/client'
import { count } from '../../format/Amounts.ts'

const BASES: Readonly<Record<BalanceSource['basis'], string>> = {
  logs: 'sum of transfers',
  chain: 'answer of the contract',
}

/** Returns what a balance rests on, as text. */
export function basisText({ basis, blockNumber, isChecked }: BalanceSource): string {
  return `${BASES[basis]}${isChecked ? ', checked' : ''}, block ${count(blockNumber)}`
}

/** What a balance rests on. */
export function Basis({ of }: { readonly of: BalanceSource }) {
  return <span class="muted">{basisText(of)}</span>
}
