import { Program } from '@firn/options'
import { VERSION } from './common/Version.ts'

/** The program that fills databases, which other programs serve. */
export const PROGRAM: Program.Program = {
  name: 'firn-indexer',
  version: VERSION,
  description: 'Indexes the Primary Network or EVM chains into a database that other programs serve.',
  commands: {
    primary: {
      summary: 'index the Primary Network: from peers, a node or an archive',
      load: async () => (await import('./command/Index.ts')).COMMAND,
    },
    evm: {
      summary: 'index EVM chains',
      load: async () => (await import('./command/evm/EvmIndex.ts')).COMMAND,
    },
  },
}

/** Runs the program with the arguments, environment and files of a process. */
export function main(process: Program.Process): Promise<void> {
  return Program.main(PROGRAM, process)
}
