export declare const markName: string;
export declare function markedPids(mark: string): number[];
