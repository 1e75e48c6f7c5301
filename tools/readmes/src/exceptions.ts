/** Commands that are skipped, each with the reason. */
export const SKIPPED: readonly { readonly command: RegExp; readonly reason: string }[] = [
  { command: /^(\w+=\w+ )?npm (test|run (check|docs))\b/, reason: 'CI runs this command in a separate step' },
  {
    command: /^npm run (firn -- )?conformance\b/,
    reason: 'CI runs this command in a separate step, which has the vectors',
  },
  {
    command: /^(\w+=\S+ )*npm --prefix examples\//,
    reason: 'a test runs each example on a devnet',
  },
  { command: /^npm run readmes\b/, reason: 'this is the command that runs all others' },
  { command: /^npm run bench\b/, reason: 'the command runs for an hour' },
]

/** Commands that run until they are interrupted. `ready` matches the output of a ready service. */
export interface Service {
  readonly command: RegExp
  readonly ready: RegExp
  /** Whether the command only reads from another service of the block, which therefore keeps running. */
  readonly isClient?: boolean
}

/** Commands that run until they are interrupted. Any other command must end by itself. */
export const SERVICES: readonly Service[] = [
  { command: /\bcurl (-\S+ )*-N\b/, ready: /\S/, isClient: true },
  { command: /^npm start\b(?!.* --once)/, ready: /Ctrl-C/ },
  { command: /^npm run firn -- (start|node|data-api|up|evm|gateway)\b(?!.* --(help|once))/, ready: /Ctrl-C/ },
  { command: /^npm run relayer\b(?!.* --once)/, ready: /Ctrl-C/ },
  { command: /^npm run firn -- aggregator\b(?!.* --help)/, ready: /listens on/ },
  { command: /^npm run firn -- devnet\b(?!.* --help)/, ready: /"rpcUrl"/ },
  { command: /\besbuild .*--serve\b/, ready: /Local:/ },
  { command: /^npm run firn -- index\b.*--(upstream|network)/, ready: /reached the tip/ },
]
