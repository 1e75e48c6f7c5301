import type { MethodLayouts } from '../Layout.ts'
import {
  AdminMethods,
  AvaxMethods,
  AvmMethods,
  HealthMethods,
  IndexMethods,
  InfoMethods,
  PlatformMethods,
  ProposerVmMethods,
  WalletMethods,
} from '../layouts.ts'
import * as Chain from './ChainDocumentation.ts'
import type { Documentation } from './Documentation.ts'
import * as Node from './NodeDocumentation.ts'
import { PLATFORM } from './PlatformDocumentation.ts'

/** The names of all methods in the document. */
export type MethodName =
  | keyof typeof InfoMethods
  | keyof typeof PlatformMethods
  | keyof typeof AvmMethods
  | keyof typeof WalletMethods
  | keyof typeof AvaxMethods
  | keyof typeof ProposerVmMethods
  | keyof typeof IndexMethods
  | keyof typeof HealthMethods
  | keyof typeof AdminMethods

/** An API of a node: its methods, and the paths at which nodes serve it. */
export interface Api {
  readonly name: string
  readonly paths: readonly string[]
  readonly table: MethodLayouts
  /** The documentation of each method of the table. */
  readonly documentation: Readonly<
    Record<
      string,
      { readonly summary: string; readonly params?: Readonly<Record<string, string>> | undefined }
    >
  >
}

const api = <T extends MethodLayouts>(
  name: string,
  paths: readonly string[],
  table: T,
  documentation: Documentation<T>,
): Api => ({ name, paths, table, documentation: documentation as Api['documentation'] })

const INDICES = ['P/block', 'X/block', 'X/tx', 'X/vtx', 'C/block'].map((name) => `/ext/index/${name}`)
const PROPOSER_VMS = ['P', 'C'].map((chain) => `/ext/bc/${chain}/proposervm`)

/** The APIs of a node that have method tables. */
export const APIS: readonly Api[] = [
  api('Info', ['/ext/info'], InfoMethods, Node.INFO),
  api('P-chain', ['/ext/bc/P'], PlatformMethods, PLATFORM),
  api('X-chain', ['/ext/bc/X'], AvmMethods, Chain.AVM),
  api('X-chain wallet', ['/ext/bc/X/wallet'], WalletMethods, Chain.WALLET),
  api('C-chain imports and exports', ['/ext/bc/C/avax'], AvaxMethods, Chain.AVAX),
  api('proposervm', PROPOSER_VMS, ProposerVmMethods, Chain.PROPOSER_VM),
  api('Index', INDICES, IndexMethods, Chain.INDEX),
  api('Health', ['/ext/health'], HealthMethods, Node.HEALTH),
  api('Admin', ['/ext/admin'], AdminMethods, Node.ADMIN),
]
