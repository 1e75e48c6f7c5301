/** Commands that are not run, each with the reason. */
export const SKIPPED: readonly { readonly command: RegExp; readonly reason: string }[] = [
  { command: /^(\w+=\w+ )?npm test\b/, reason: 'CI runs it in its own step' },
  { command: /^npm run check\b/, reason: 'CI runs it in its own step' },
  {
    command: /^npm run (firn -- )?conformance\b/,
    reason: 'CI runs it in its own step, where the vectors are',
  },
  { command: /^npm run readmes\b/, reason: 'it is the running command itself' },
  { command: /^npm run bench\b/, reason: 'measures for an hour' },
]

/** A command that stays up, and its output when it is ready. */
export interface Service {
  readonly command: RegExp
  readonly ready: RegExp
  /** True where it only reads from another command of the block, which stays up meanwhile. */
  readonly isClient?: boolean
}

/** Commands that stay up until they are interrupted. Any other command must end by itself. */
export const SERVICES: readonly Service[] = [
  { command: /\bcurl (-\S+ )*-N\b/, ready: /\S/, isClient: true },
  { command: /^npm start\b(?!.* --once)/, ready: /Ctrl-C/ },
  { command: /^npm run firn -- (start|node|data-api|up|evm|gateway)\b(?!.* --(help|once))/, ready: /Ctrl-C/ },
  { command: /^npm run firn -- aggregator\b(?!.* --help)/, ready: /listens on/ },
  { command: /^npm run firn -- devnet\b(?!.* --help)/, ready: /"rpcUrl"/ },
  { command: /^npm run firn -- index\b.*--upstream/, ready: /reached the tip/ },
]
