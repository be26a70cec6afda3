import type { Plugin } from 'esbuild';

export declare const lean: Plugin;
export declare const buildPage: (outdir: string) => Promise<void>;
