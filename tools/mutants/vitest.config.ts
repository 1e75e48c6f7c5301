import root from '../../vitest.config.ts'

const { FIRN_MUTANT_FILE, FIRN_MUTANT } = process.env

/**
 * Vitest configuration of the workspace, with the text of one file replaced by a mutant. It writes no result
 * files.
 */
export default {
  ...root,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id: string) => (id === FIRN_MUTANT_FILE ? FIRN_MUTANT : undefined),
    },
  ],
  test: {
    ...root.test,
    // Patterns are relative to the folder of the package.
    include: ['src/**/*.test.ts'],
    reporters: ['json'],
    // The cache identifies a file by its content on disk, which stays the same for all mutants of the file.
    fsModuleCache: false,
  },
}
