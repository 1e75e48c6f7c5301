import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary folder in the format of Sourcify. For tests only. */
export interface AbiFiles {
  readonly root: string
  /** Returns the path of the metadata of a contract. */
  path(match: 'full_match' | 'partial_match', chainId: bigint, address: string): string
  /** Writes the metadata of a contract, or any text in their place. */
  write(match: 'full_match' | 'partial_match', chainId: bigint, address: string, content: unknown): void
  remove(): void
}

/** Creates a temporary folder for ABIs. For tests only. */
export function createAbiFiles(): AbiFiles {
  const root = mkdtempSync(join(tmpdir(), 'firn-abis-'))
  const path: AbiFiles['path'] = (match, chainId, address) =>
    join(root, match, String(chainId), address, 'metadata.json')
  return {
    root,
    path,
    write: (match, chainId, address, content) => {
      const file = path(match, chainId, address)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Returns metadata as a compiler writes them. For tests only. */
export function metadataOf(name: string, abi: readonly unknown[]): object {
  return {
    compiler: { version: '0.8.30' },
    language: 'Solidity',
    output: { abi, devdoc: {}, userdoc: {} },
    settings: { compilationTarget: { [`src/${name}.sol`]: name } },
    version: 1,
  }
}
