import type { NativeTransaction } from '@firn/client'
import { toBigInt } from './Amounts.ts'
import { clean } from './ChainText.ts'

/** Decimals of gas prices in gwei. */
export const GWEI_DECIMALS = 9

/** Returns the fee of a transaction in wei: the gas used, times the price paid for each unit. */
export function feeOf({ gasUsed, gasPrice }: Pick<NativeTransaction, 'gasUsed' | 'gasPrice'>): bigint {
  return toBigInt(gasUsed) * toBigInt(gasPrice)
}

/** Returns the name of the called function without its parameters, its selector if it is unknown, or the kind of transaction. */
export function methodOf({ method }: Pick<NativeTransaction, 'method'>): string {
  if (method === undefined) return ''
  const { callType, methodName, methodHash } = method
  if (callType === 'NATIVE_TRANSFER') return 'Native transfer'
  if (callType === 'CONTRACT_CREATION') return 'Contract creation'
  return methodName === undefined ? methodHash : clean(methodName.replace(/\(.*/s, ''))
}
