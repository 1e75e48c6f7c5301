import { abiString } from './evmContracts.ts'
import type { CallContract } from './evmMethods.ts'

/** Answers of the token contract in a chain of transfers: name, symbol and decimals. For tests only. */
export const token: CallContract = (_to, data) => {
  const utf8 = new TextEncoder()
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  switch (data.slice(2, 10)) {
    case '18160ddd':
      return { result: word(10n ** 27n) }
    case '313ce567':
      return { result: word(18n) }
    case '06fdde03':
      return { result: abiString(utf8.encode('Reliable')) }
    case '95d89b41':
      return { result: abiString(utf8.encode('REL')) }
    default:
      return { error: 'execution reverted', code: 3 }
  }
}
