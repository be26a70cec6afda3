export * from '../../machines/graph/walk.ts';
