import { createCommand, type OpenedArchive } from '@firn/devnet'
import { createArchiveSource, GenesisFiles } from '@firn/indexer'
import type { Command } from '@firn/options'
import { systemClock } from '@firn/runtime'

/** Opens an archive with its blocks, its genesis and its genesis file. */
const openArchive = async (folder: string): Promise<OpenedArchive> => {
  const source = createArchiveSource(folder)
  const rules = await GenesisFiles.load({
    archive: folder,
    now: BigInt(Math.floor(systemClock.now() / 1000)),
  })
  return { source, rules, genesisFile: GenesisFiles.configOf(folder), close: () => source.close() }
}

export const COMMAND: Command.Command = createCommand(openArchive)
