import type { MethodLayouts } from '../Layout.ts'
import { IssueTx } from './UtxoMethods.ts'

/** The wallet API's methods that nodes still serve at `/ext/bc/X/wallet`. */
export const WalletMethods = { 'wallet.issueTx': IssueTx } satisfies MethodLayouts
