import type { Linter } from 'eslint';

export const whoMayImport: Linter.Config[];
