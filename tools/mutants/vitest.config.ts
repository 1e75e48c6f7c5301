import root from '../../vitest.config.ts'

const { FIRN_MUTANT_FILE, FIRN_MUTANT } = process.env

/** The configuration of all tests, with the text of one file replaced by a mutant. Writes no result files. */
export default {
  ...root,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id: string) => (id === FIRN_MUTANT_FILE ? FIRN_MUTANT : undefined),
    },
  ],
  // The cache identifies a file by its content on disk.
  test: { ...root.test, reporters: ['default'], fsModuleCache: false },
}
