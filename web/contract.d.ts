// Made by `make contract` from the structs of the API. Not to be edited.

declare namespace Api {
  // What everybody may see at one moment. The referee leaves `seq` and `age_s` at 0 and `odds` out; the live table sets
  // them.
  interface Snapshot {
    game: Record<string, any> | null;
    seats: Record<string, "computer" | "person">;
    names: Record<string, string>;
    colours: Record<string, "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet">;
    series: Standing | null;
    crossed: number | null;
    table: Table;
    prompt: Prompt;
    ruling: Ruling | null;
    undo: boolean;
    undo_seat: string | null;
    undo_asks: Array<string>;
    buttons: Record<string, ButtonNow>;
    mat: Mat | null;
    health: Health;
    seq: number;
    age_s: number;
    hint: boolean;
    odds: Odds | null;
    clock: Clock | null;
    began: number | null;
  }
  // How a series of several games stands, the game under way or just over included.
  interface Standing {
    best_of: 1 | 3 | 5 | 7;
    wins: Record<string, number>;
    winner: string | null;
  }
  // What lies on the table, and what must lie there.
  interface Table {
    coins: Array<CoinSeen>;
    hand: boolean;
    moving: boolean;
    settled: boolean;
    wanted: Record<string, Heap>;
    flips: Record<string, Heap>;
    differences: Array<Difference>;
    marks: Array<Mark>;
    lawful?: Array<string>;
  }
  // A coin on the table, as it was read, corrected by people, or known from an earlier ruling.
  interface CoinSeen {
    i: number;
    center_px: [number, number];
    radius_px: number;
    center_mm: [number, number] | null;
    radius_mm: number | null;
    zone: string | null;
    denomination: Denomination | null;
    face: Face | null;
    denomination_confidence: number;
    face_confidence: number;
    sure: boolean;
    alternatives: Array<Alternative>;
  }
  // One of the four circulating coins tablecoin reads. Compared by name; order by `cents` or `diameter_mm`.
  type Denomination = "dime" | "nickel" | "penny" | "quarter";
  // The side that lies up: `heads` is the obverse (the portrait), `tails` the reverse, whatever it shows.
  type Face = "heads" | "tails";
  // Something else that a coin may be. Both are null for: not a US coin.
  interface Alternative {
    denomination: Denomination | null;
    face: Face | null;
    confidence: number;
  }
  // How many of each coin, faces aside: an immutable multiset. JSON leaves zeros out: {"penny": 3, "dime": 1}.
  interface Heap {
    penny?: number;
    nickel?: number;
    dime?: number;
    quarter?: number;
  }
  // How the likeliest reading of one zone differs from the layout.
  interface Difference {
    zone: string;
    missing: Heap;
    extra: Heap;
    turned: Heap;
  }
  // One thing to do with one coin.
  interface Mark {
    do: "move" | "put" | "take" | "turn";
    coin: number | null;
    denomination: Denomination | null;
    face: Face | null;
    zone: string;
    to_mm?: [number, number] | null;
  }
  // What people should do now.
  interface Prompt {
    seat: string | null;
    kind: "arrange" | "break" | "consent" | "dispute" | "flip" | "lobby" | "over" | "paused" | "question" | "refused" | "turn" | "unfinished";
    text: string;
    texts: Record<string, string>;
    choices: Array<Choice>;
    coin?: number | null;
    disputed?: number | null;
  }
  // One thing that people may choose with one tap or with CHOOSE and DONE: an answer, an act, or a game to begin.
  interface Choice {
    text: string;
    texts: Record<string, string>;
    action: Record<string, any> | null;
    game: string | null;
    highlighted: boolean;
    coin?: Nature | null;
    does?: "agree" | "go on" | "look" | "refuse" | "replay" | "stand" | null;
    seat?: string | null;
  }
  // What a coin is. Null denomination: not a US coin; null face: it does not matter, or is not said.
  interface Nature {
    denomination: Denomination | null;
    face?: Face | null;
  }
  // The last ruling.
  interface Ruling {
    seq: number;
    accepted: boolean;
    clause: string | null;
    seat: string | null;
    action: Record<string, any> | null;
    evidence: number | null;
    text: string;
    texts: Record<string, string>;
    righted?: boolean;
  }
  // What a button does now. `text` are the words to stand on it.
  interface ButtonNow {
    does: "agree" | "confirm" | "dispute" | "end" | "go on" | "look" | "next" | "refuse" | "stand" | "undo" | null;
    text: string;
    texts: Record<string, string>;
  }
  // A printed table. Each marker id is used on one mat only, so that a camera recognizes the mat by its markers.
  interface Mat {
    name: string;
    title: Record<string, string>;
    width_mm: number;
    height_mm: number;
    zones: Array<Zone>;
    markers: Array<Marker>;
    ruler_mm: [number, number];
    games?: Array<string>;
    links?: Array<[string, string]>;
    card?: Card | null;
    legend?: Array<Legend>;
    board?: Board | null;
  }
  // A named area. `label` is language -> words; `ink` and `pattern` tell zones apart in colour and without it.
  interface Zone {
    name: string;
    area: Rectangle | Circle;
    label?: Record<string, string>;
    ink?: string;
    pattern?: string;
    columns?: Array<string>;
  }
  // Sides parallel to the mat's; (x_mm, y_mm) is its top left corner.
  interface Rectangle {
    shape: "rectangle";
    x_mm: number;
    y_mm: number;
    width_mm: number;
    height_mm: number;
  }
  // (x_mm, y_mm) is its centre.
  interface Circle {
    shape: "circle";
    x_mm: number;
    y_mm: number;
    radius_mm: number;
  }
  // An AprilTag of family 36h11; `size_mm` is the side of its black square.
  interface Marker {
    id: number;
    x_mm: number;
    y_mm: number;
    size_mm: number;
  }
  // A player's own card, recognized by its picture: `picture` is the name of a file beside its map's.
  interface Card {
    picture: string;
    area: Rectangle;
  }
  // What one colour and pattern stand for: a region of a map.
  interface Legend {
    label: Record<string, string>;
    ink: string;
    pattern: string;
  }
  // A ChArUco board: a chessboard with a marker in each white square, by which a lens is measured. Its markers are of
  // OpenCV's family DICT_5X5_100, so that it is never mistaken for a mat. The top left corner of the chessboard lies at
  // (x_mm, y_mm).
  interface Board {
    columns: number;
    rows: number;
    square_mm: number;
    marker_mm: number;
    x_mm: number;
    y_mm: number;
  }
  // Whether the equipment works. The referee knows no camera: the live table fills in its name and speed.
  interface Health {
    warnings: Array<string>;
    said: Array<Notice>;
    camera: string;
    fps: number;
  }
  // A warning. `code` is its key in the catalogue, so that programs can tell warnings apart.
  interface Notice {
    code: string;
    texts: Record<string, string>;
  }
  // How likely each seat is to win, worked out beside the referee by the computer players' own value function.
  interface Odds {
    seq: number;
    chance: Record<string, number>;
    error: number;
    course: Array<Record<string, number>>;
    lead?: Record<string, number> | null;
  }
  // The chess clock of the game, as it stands when the snapshot is sent. What runs goes on down by itself.
  interface Clock {
    control: TimeControl;
    left_s: Record<string, number>;
    running: Array<string>;
    over: Array<string>;
  }
  // A chess clock: how much time each side has to think, and what happens when it is used up. `each_s` for the whole
  // game, and `increment_s` more for each turn that the side ends, both in seconds. At zero the table is told and play
  // goes on (`said`), or the side has lost (`lost`); in a game of more than two sides the rules then choose for it, as
  // they do for a seat that has not chosen in time.
  interface TimeControl {
    each_s: number;
    increment_s?: number;
    at_zero?: "lost" | "said";
  }
  // Every toss, and the heads among those that stand. Each coin of a toss is one trial. `uncounted`: events of the
  // journal that are still to be counted, as after a journal was built anew.
  interface Summary {
    tosses: Array<TossesToss>;
    all: Fairness;
    seats: Record<string, Fairness>;
    coins: Record<string, Fairness>;
    seats_coins: Record<string, Record<string, Fairness>>;
    uncounted?: number;
  }
  // One toss.
  interface TossesToss {
    game: number;
    name: string;
    at: string;
    seat: string;
    coins: Array<Coin>;
    stands: boolean;
  }
  // A denomination and the face that lies up: there are only eight. The value is its text: `Coin("penny:heads")`.
  type Coin = "dime:heads" | "dime:tails" | "nickel:heads" | "nickel:tails" | "penny:heads" | "penny:tails" | "quarter:heads" | "quarter:tails";
  // Heads among `tosses` coins, and the p-value of a fair coin (`two_sided`), 0..1.
  interface Fairness {
    heads: number;
    tosses: number;
    p: number;
  }
  // What was kept with a ruling. `clause` is the rule that a refused act broke.
  interface Exhibited {
    number: number;
    accepted: boolean;
    clause: ClauseText | null;
    said: Record<string, string>;
    mat: string | null;
    before: Array<CoinSeen> | null;
    after: Array<CoinSeen>;
    pictures: Pictures;
    clip: string | null;
    clip_checked: boolean;
    digest: string;
  }
  // A clause of the rulebook with its text.
  interface ClauseText {
    id: string;
    number: string;
    en: string;
    zh: string;
  }
  // Where the JPEGs are. `before` is null for the first ruling.
  interface Pictures {
    before: string | null;
    after: string | null;
  }
  // The result of `score`. `unsure`: the spaces and banks that a person should check. `doubts`: what may lie there; a
  // bank with several doubtful coins has several. `boxes_px`: where each space and bank lies in the photo, upright:
  // left, top, right, bottom in its pixels.
  interface Score {
    map: string;
    spaces: Record<string, Array<Coin>>;
    banks: Record<string, Heap>;
    regions: Record<string, RegionTally>;
    score: Record<string, number>;
    winner: Face | null;
    tie_break: string | null;
    unsure: Array<string>;
    doubts: Array<Doubt>;
    warnings: Array<string>;
    warnings_texts: Array<Record<string, string>>;
    boxes_px?: Record<string, [number, number, number, number]>;
  }
  // Spaces each side holds in a region, and whose ranks are doubled there; null when neither holds more.
  interface RegionTally {
    heads: number;
    tails: number;
    bonus: Face | null;
  }
  // A place that a person should check. The first candidate is the one that the score counts. None at all: the coins of
  // that bank were not read. `box_mm` is left, top, right, bottom on the map; `box_px` the same part of the photo,
  // upright.
  interface Doubt {
    place: string;
    candidates: Array<Candidate>;
    box_mm: [number, number, number, number];
    box_px: [number, number, number, number] | null;
  }
  // What may lie there, null for nothing or no coin of the game, with its chance from 0 to 1.
  interface Candidate {
    coin: Coin | null;
    chance: number;
  }
  // What the computer would do for `seat`, and why. `chance` is that of the seat to win then, 0..1.
  interface Hint {
    seat: string;
    action: Record<string, any>;
    text: string;
    texts: Record<string, string>;
    chance: number;
    error: number;
    moves: Array<Difference>;
  }
  // One game, step by step.
  interface Replay {
    game: string;
    title: Record<string, string>;
    seats: Record<string, string>;
    names: Record<string, string>;
    begun: string | null;
    outcome: ReplayOutcome | null;
    clock: TimeControl | null;
    measure: "cents" | "coins" | "points" | "twelfths" | null;
    mat: Mat;
    places: Record<string, Array<[number, number]>>;
    tables: Array<Record<string, Array<string>>>;
    steps: Array<ReplayStep>;
    clauses: Record<string, ReplayClause>;
    verified?: boolean;
  }
  // How the game ended.
  interface ReplayOutcome {
    winners: Array<string>;
    said: Record<string, string>;
  }
  // What one line of the record did.
  interface ReplayStep {
    line: number;
    kind: "act" | "correct" | "hint" | "note" | "refused" | "start" | "toss" | "undo";
    said: Record<string, string>;
    table: number;
    standing: Record<string, number>;
    seat?: string | null;
    at?: string | null;
    by?: string | null;
    clause?: string | null;
    tossed?: Array<Coin>;
    undone?: boolean;
    evidence?: number | null;
  }
  // A clause that somebody broke in the game.
  interface ReplayClause {
    number: string;
    texts: Record<string, string>;
  }
  // How a map counts; the fields are those of a photo's score.
  interface MapScore {
    regions: Record<string, RegionTally>;
    score: Record<string, number>;
    winner: Face | null;
    tie_break: string | null;
  }
  // Every answer above status 399. `error` is English; `texts` holds the same sentence in every language.
  interface Problem {
    error: string;
    texts: Record<string, string>;
  }
  // What became of a command. What the rules refuse is an answer too: `ok` is false, and `why` says the reason.
  interface Told {
    ok: boolean;
    why: string | null;
    seq: number;
    texts?: Record<string, string>;
  }
  // What a seat may do now by hand.
  interface Acts {
    acts: Array<LegalAct>;
  }
  // An act that a seat may do now by hand. `text` is English, `texts` every language.
  interface LegalAct {
    action: Record<string, any>;
    seat: string;
    text: string;
    texts: Record<string, string>;
  }
  // What a club assigned to this table, for who may begin a game here; null while none can be begun.
  interface Assigned {
    assigned: AssignedGame | null;
  }
  // A game that a club would like to be played here.
  interface AssignedGame {
    id: string;
    event: string;
    round: number;
    game: string;
    title: Record<string, string>;
    names: Record<string, string>;
    best_of: number;
    clock: TimeControl | null;
  }
  // What became of the assignments that a club brought: of the newest one, and the games played for any.
  interface Brought {
    reply: Reply | null;
    games: Record<string, string>;
  }
  // What became of an assignment at the table. Retained.
  interface Reply {
    table: string;
    version?: string;
    id: string;
    answer: "begun" | "declined" | "offered" | "refused";
    said?: Record<string, string>;
    number?: number;
    journal?: string;
  }
  // Every game, in the order they are offered.
  interface Games {
    games: Array<GameOffered>;
  }
  // A game one can start.
  interface GameOffered {
    game: string;
    title: Record<string, string>;
    seats: Array<string>;
    options: Array<GameOption>;
  }
  // A house rule. `names` is a list of texts; `json` is anything deeper.
  interface GameOption {
    name: string;
    kind: "choice" | "json" | "names" | "number" | "switch" | "text";
    choices: any | null;
    min: number | null;
    max: number | null;
    default: any;
    description: string | null;
    titles?: Record<string, Record<string, string>>;
  }
  // The clauses of one game in one language, those that all games share last.
  interface Rulebook {
    game: string;
    title: string;
    language: string;
    clauses: Array<RulebookClause>;
    chapters: Array<RulebookChapter>;
  }
  // A numbered rule in one language.
  interface RulebookClause {
    id: string;
    number: string;
    text: string;
    refereeable: boolean;
  }
  // A heading over the clauses whose numbers begin with `number`, in one language.
  interface RulebookChapter {
    number: string;
    title: string;
  }
  // A game in one minute, and one example turn.
  interface PrimerShown {
    game: string;
    mat: Mat;
    minute: Array<PrimerSentence>;
    example: Array<PrimerSentence>;
  }
  // One thing to know of a game, and the picture that shows it.
  interface PrimerSentence {
    texts: Record<string, string>;
    picture: PrimerPicture | null;
  }
  // Coins on the mat, later ones on earlier ones, and the part of the mat to draw: left, top, width, height.
  interface PrimerPicture {
    coins: Array<CoinDrawn>;
    box_mm: [number, number, number, number];
    lit: Array<string>;
    caption: Record<string, string>;
  }
  // A coin of a drawn picture: its middle on the mat. A null face does not matter.
  interface CoinDrawn {
    denomination: Denomination;
    face: Face | null;
    x_mm: number;
    y_mm: number;
  }
  // Where somebody stands in the lesson of a game, and the table they practise at.
  interface LessonShown {
    game: string;
    title: Record<string, string>;
    you: string;
    step: number;
    steps: number;
    kind: "act" | "mistake" | "over" | "read" | "reply";
    texts: Record<string, string>;
    aside: "mistaken" | "other" | "refused" | "unsettled" | null;
    beside: Record<string, string>;
    lit: Array<string>;
    coins: Array<Denomination>;
    act: string | null;
    fell: Array<Coin>;
    told: Array<Record<string, string>>;
    offers: Array<LessonOffer>;
    nexts: boolean;
    lies: Array<VirtualCoin>;
    snapshot: Snapshot;
  }
  // An act that a lesson offers as a button.
  interface LessonOffer {
    action: Record<string, any>;
    texts: Record<string, string>;
  }
  // A coin on the table: its centre in millimetres on the mat, turned clockwise. `design` tells it from others of its
  // denomination and chooses what its two sides look like. `lean_deg` above 0: it leans on something, its left or right
  // side up, and appears as an ellipse.
  interface VirtualCoin {
    denomination: Denomination;
    face: Face;
    x_mm: number;
    y_mm: number;
    angle_deg?: number;
    design?: number;
    lean_deg?: number;
  }
  // A page of the games played at this table, newest first.
  interface GamesPlayed {
    games: Array<PlayedGame>;
    before: number | null;
    playing: number | null;
    uncounted: number;
  }
  // A game in the list of games.
  interface PlayedGame {
    number: number;
    game: string;
    options: Record<string, any>;
    seats: Record<string, "computer" | "person">;
    names: Record<string, string>;
    level: "easy" | "middle" | "strong";
    best_of: 1 | 3 | 5 | 7;
    bad_coin: "all" | "alone";
    odds: "after" | "always" | "off";
    hints: "always" | "never" | "practice";
    undo: "asked" | "free";
    clock: TimeControl | null;
    began: string;
    ended: string | null;
    outcome: Ending | null;
    rulings: number;
    refusals: number;
    corrections: number;
    undone: number;
    whole: boolean;
    verified?: boolean;
    lasted_s?: number | null;
  }
  // How a game ended. Several winners share; none means nobody won.
  interface Ending {
    winners: Array<string>;
    texts: Record<string, string>;
  }
  // Everybody who gave a name at this table, who played last first.
  interface Players {
    players: Array<PlayerRecord>;
  }
  // One person's games. In Dollar Prize a toss is nobody's, so its coins count for no person.
  interface PlayerRecord {
    name: string;
    games: number;
    wins: number;
    newest: string;
    tossed: Fairness;
    coins: Record<string, Fairness>;
    analysed: number;
    luck: number | null;
    lost: number | null;
  }
  // Everything on the virtual table, and the name of its mat.
  interface VirtualState {
    coins?: Array<VirtualCoin>;
    hand?: boolean;
    hand_at_mm?: [number, number] | null;
    prize?: boolean;
    board?: number | null;
    faults?: Faults;
    sets_itself?: boolean;
    carried?: number | null;
    mat: string;
  }
  // All are off by default. Each changes only the picture or the camera's answers.
  interface Faults {
    camera_bumped?: boolean;
    marker_lost?: boolean;
    markers_covered?: boolean;
    dim_light?: boolean;
    foreign_coin?: boolean;
    coin_leaning?: boolean;
    camera_frozen?: boolean;
    frame_dropped?: boolean;
    glare?: boolean;
    blur?: boolean;
  }
  // How a step of the wizard went: what it found and what to do about it.
  interface StepResult {
    step: string;
    ok: boolean;
    more: boolean;
    said: Record<string, string>;
    todo: Record<string, string>;
    figures: Record<string, number | null>;
  }
  // The answer to a run of a step.
  interface StepRun {
    result: StepResult;
  }
  // Everything the wizard's page shows.
  interface WizardState {
    camera: string;
    file: string;
    date: string | null;
    left_aside: string | null;
    left_aside_texts: Record<string, string> | null;
    said: string;
    steps: Array<WizardStep>;
    asked: Record<string, number>;
    tray: Tray;
    shown: Array<Face>;
    left_coins: string | null;
    left_coins_texts: Record<string, string> | null;
    passes: Array<Pass>;
  }
  // A step of the wizard as it stands; `result` is of its newest run.
  interface WizardStep {
    name: string;
    optional: boolean;
    done: boolean;
    result: StepResult | null;
  }
  // What people say lies there: coins of each denomination, all with the same face up.
  interface Tray {
    coins: Heap;
    face: Face;
  }
  // How coins that people laid out as asked were read. All counts are coins times pictures.
  interface Pass {
    date: string;
    camera: string;
    passed: boolean;
    pictures: number;
    coins: number;
    right: number;
    wrong: number;
    wrong_and_sure: number;
    not_sure: number;
    missed: number;
    invented: number;
  }
  // A map that was learnt.
  interface Taught {
    map: string;
    path: string;
    spaces: number;
    points: number;
  }
  // What a card's taps tell: its width over its height, and which spaces are neighbours (pairs of indices).
  interface Guessed {
    aspect: number;
    neighbours: Array<[number, number]>;
  }
  // What is known of why a game was won. `problem`: it cannot be worked out, and why.
  interface Analysis {
    running: boolean;
    report?: Report | null;
    problem?: Record<string, string> | null;
  }
  // The analysis of one game; `better` says each `best` in words, by its line.
  interface Report {
    game: string;
    start: Record<string, number>;
    end: Record<string, number>;
    events: Array<Judged>;
    players: Record<string, Player>;
    turning_point: number | null;
    exact: boolean;
    error: number;
    start_lead?: Record<string, number> | null;
    better?: Record<string, Record<string, string>>;
  }
  // One action that stands: its line `n` in the record, the chances after it, and what it was worth. `luck` is each
  // seat's, null where nothing was tossed; `cost` is the seat's own, null where it had nothing to decide; `best` is
  // what would have been better and `missed` by how much, null where nothing was. `error` is the standard error of
  // both. `lead`: how far ahead each seat is expected to end, in the game's own unit, null where no game tells.
  interface Judged {
    n: number;
    kind: "act" | "toss";
    seat: string;
    chance: Record<string, number>;
    luck?: Record<string, number> | null;
    cost?: number | null;
    best?: Record<string, any> | null;
    missed?: number | null;
    error?: number;
    lead?: Record<string, number> | null;
  }
  // One seat's game in chances: end − start = luck − lost + others + rest. `lost` adds up what its decisions cost;
  // `error` is the standard error of `lost` and of `rest`, if those of single chances are independent. `adjusted` is
  // its result with the luck taken out. `worst` are the lines of its dearest decisions, dearest first.
  interface Player {
    luck: number;
    lost: number;
    others: number;
    rest: number;
    decisions: number;
    worst: Array<number>;
    adjusted: number;
    error: number;
  }
  // What the table remembers of its own coins, and whether it learns.
  interface KnownCoins {
    learn: "ask" | "off" | "on";
    fixed: boolean;
    coins: Array<KnownCoin>;
    trouble: string | null;
    trouble_texts: Record<string, string> | null;
  }
  // One face of a coin that the table remembers, and who said what it is.
  interface KnownCoin {
    denomination: Denomination;
    face: Face | null;
    source: "answer" | "correction" | "ruling" | "tray";
    picture: string;
  }
  // What a running table answers to a program that asks whether it is well.
  interface Alive {
    frames: number;
    version?: string;
  }
  // What the checks found lately.
  interface HealthReport {
    findings: Array<Checked>;
    may_read: boolean;
  }
  // What one check found. `warn`: works, but should be corrected; `fail`: does not work.
  interface Checked {
    what: string;
    status: "fail" | "ok" | "warn";
    title: Record<string, string>;
    said: Record<string, string>;
    todo: Record<string, string> | null;
  }
  // The newest lines of the service's log, oldest first; none where there is no such log.
  interface LogLines {
    lines: Array<string>;
  }
  // The owner's settings as they are at the next start, by section and key, and what may be done with the program.
  interface OwnerState {
    values: Record<string, Record<string, any>>;
    waits: boolean;
    version: string;
    restarts: boolean;
    off: boolean;
  }
  // How the table stands, and how the caller does.
  interface AccessState {
    mode: "closed" | "open" | "trusted";
    role: "owner" | "referee" | "seat" | "watch";
    seat: string | null;
    asked: string | null;
    chooses: boolean;
    here: boolean;
  }
  // Who sits where.
  interface AccessTable {
    seats: Array<SeatTaken>;
  }
  // A seat, whether a phone sits there, and whether one waits to.
  interface SeatTaken {
    seat: string;
    taken: boolean;
    asked: boolean;
  }
  // The game that is laid out, to begin when its people are ready. `game` null: none is.
  interface LobbyState {
    game: string | null;
    options: Record<string, any>;
    level: "easy" | "middle" | "strong";
    bad_coin: "all" | "alone";
    odds: "after" | "always" | "off";
    hints: "always" | "never" | "practice";
    undo: "asked" | "free";
    clock: TimeControl | null;
    best_of: 1 | 3 | 5 | 7;
    seats: Array<LobbySeat>;
    host: boolean;
    named?: boolean;
    open?: boolean;
  }
  // A seat of the game that is laid out, and who said to sit there.
  interface LobbySeat {
    seat: string;
    player: "computer" | "person";
    name: string;
    colour: "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet" | null;
    ready: boolean;
  }
  // Which assignment of a club is meant.
  interface AssignedBody {
    id: string;
  }
  // What a club of this machine would like to be played; null: nothing any more.
  interface BroughtBody {
    assignment: Assignment | null;
  }
  // A club would like a game to be played here; the owner may decline. Retained; an empty one takes it back.
  interface Assignment {
    table: string;
    version?: string;
    id: string;
    event?: string;
    round?: number;
    game: string;
    options?: Record<string, any>;
    names: Record<string, string>;
    best_of?: 1 | 3 | 5 | 7;
    clock_s?: number | null;
    increment_s?: number;
    at_zero?: "lost" | "said";
  }
  // The code that was scanned at the table.
  interface CodeBody {
    code: string;
  }
  // Who sits at one's seat of the lobby.
  interface GuestBody {
    name?: string;
    colour?: "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet" | null;
    ready?: boolean;
  }
  // The owner's answer: whether the table may learn its own coins.
  interface LearnBody {
    learn: "off" | "on";
  }
  // A step in a lesson. `learner`: a text of one's own by which the table knows the lesson again.
  interface LessonBody {
    learner: string;
    do: "act" | "answer" | "begin" | "go-on" | "look" | "next" | "press" | "put" | "put-back" | "toss";
    coins?: Array<VirtualCoin>;
    button?: string;
    action?: Record<string, any>;
    choice?: number;
  }
  // Opens the table to the network: the owner's PIN from now on, and whether everybody here is trusted.
  interface OpenBody {
    pin: string;
    trusted?: boolean;
  }
  // The owner's PIN, or a new one.
  interface PinBody {
    pin: string;
  }
  // What lies on a Coin Age map: the coin on top of each space, and what is left in the banks.
  interface ScoredMap {
    map: string;
    spaces: Record<string, Array<Coin>>;
    banks: Record<string, Heap>;
  }
  // A seat: to sit at, to let somebody sit at, or to free.
  interface SeatBody {
    seat: string;
  }
  // Settings to be kept, each a key of tablecoin.toml; what is left out stays. null: as tablecoin.toml says again.
  interface SettingsBody {
    source?: string | null;
    mains_hz?: number | null;
    language?: string | null;
    still_s?: number | null;
    sounds?: Array<string> | null;
    clips?: string | null;
    learn?: string | null;
    buzzer?: string | null;
    shutdown?: string | null;
  }
  // A step of the wizard to run; `tray` says what lies on the mat where own coins are enrolled.
  interface StepBody {
    step: "aim" | "enrol" | "lens" | "light" | "markers" | "pass" | "sizes";
    tray?: Tray | null;
  }
  // What was tapped on the photo of a card so far, in its pixels: four corners, and the middles of spaces.
  interface TapsBody {
    size_px: [number, number];
    corners_px: [[number, number], [number, number], [number, number], [number, number]];
    spaces_px?: Array<[number, number]>;
  }
  // Coins of the virtual table to be tossed into a zone.
  interface TossBody {
    coins: Heap;
    zone?: string;
  }
  // Whether everybody here is trusted, so that playing needs no code.
  interface TrustBody {
    trusted: boolean;
  }
  // A coin that is lifted there and laid here. Null: it comes from the box, or goes there.
  interface Carry {
    lifted: VirtualCoin | null;
    laid: VirtualCoin | null;
  }
  // What PUT /api/virtual sets. A key left out stays as it is; so does a fault left out of `faults`.
  interface VirtualChange {
    coins?: Array<VirtualCoin>;
    hand?: boolean;
    hand_at_mm?: [number, number] | null;
    prize?: boolean;
    board?: number | null;
    faults?: Faults;
    sets_itself?: boolean;
    carried?: number | null;
    mat?: string;
  }
  // A button was pressed (`referee.hold`: held).
  interface PressBody {
    button: "heads.choose" | "heads.done" | "referee" | "referee.hold" | "tails.choose" | "tails.done";
  }
  // The answer to the referee's question: the number of one of `prompt.choices`. With its `text`, an answer to choices
  // that have changed in the meantime is refused.
  interface AnswerBody {
    choice: number;
    text?: string | null;
  }
  // A person overrules the reader on coin `coin` of the snapshot's table. A field left out stays as it was read. A null
  // denomination means: not a US coin. With `center_mm`, the place where the person saw the coin, a correction is
  // refused when another coin has that number by now.
  interface CorrectBody {
    coin: number;
    denomination?: Denomination | null;
    face?: Face | null;
    center_mm?: [number, number] | null;
  }
  // A person overrules an earlier toss: what ruling number `ruling` showed was `coins`. They are given by zone where
  // the toss has several zones.
  interface RereadBody {
    ruling: number;
    coins: Array<Coin> | Record<string, Array<Coin>>;
  }
  // Dispute ruling number `ruling` of this game; without it the last one.
  interface DisputeBody {
    ruling?: number | null;
  }
  // Make a break: nothing is ruled on and no time runs until somebody goes on.
  interface PauseBody {
  }
  // `seat` gives the game up: the other one of two has won. A phone resigns for its own seat alone.
  interface ResignBody {
    seat: string;
  }
  // Offer a draw: the game ends so if the others agree.
  interface OfferDrawBody {
  }
  // What the coins in the tray show; exactly the coins due, in any order.
  interface DollarPrizeToss {
    do: "flip";
    coins: Array<Coin>;
  }
  // A coin from the bank into one's own row.
  interface DollarPrizePlace {
    do: "place";
    coin: Denomination;
  }
  // Coins of one's own row to the bank, one coin from the bank into the row.
  interface Convert {
    do: "convert";
    give: Heap;
    take: Denomination;
  }
  // The end of one's turn.
  interface DollarPrizeDone {
    do: "done";
  }
  // The receiver changes the stolen coin into lower ones of equal value.
  interface Break {
    do: "break";
    into: Heap;
  }
  // The receiver leaves the stolen coin whole.
  interface Keep {
    do: "keep";
  }
  // A coin that appeared in a row without being placed in that player's turn. Never legal; cameras see it happen.
  interface Add {
    do: "add";
    coin: Denomination;
    row: Face;
  }
  // A coin that left a row though no rule moved it. Never legal; cameras see it happen.
  interface Take {
    do: "take";
    coin: Denomination;
    row: Face;
  }
  // The house rules of Steal.
  interface StealOptions {
    goal?: number;
    starter?: "fewer" | "heads" | "tails";
    strict_order?: "enforce" | "off" | "warn";
    multi_convert?: boolean;
    any_equal_convert?: boolean;
    bank?: "counted" | "unlimited";
    bank_coins?: Heap;
    break_one_step?: boolean;
    tie_flips?: 0 | 1 | "until";
  }
  // All coins of one kind in the player's row for all coins of another kind in the other row.
  interface Swap {
    do: "swap";
    give: Denomination;
    take: Denomination;
  }
  // The player makes no swap in this round.
  interface Skip {
    do: "skip";
  }
  // Consent to the swap the other player asks for (house rule).
  interface Agree {
    do: "agree";
  }
  // Refusal of that swap (house rule).
  interface Refuse {
    do: "refuse";
  }
  // The house rules of Exact.
  interface ExactOptions {
    goal?: number;
    starter?: "fewer" | "heads" | "tails";
    strict_order?: "enforce" | "off" | "warn";
    multi_convert?: boolean;
    any_equal_convert?: boolean;
    bank?: "counted" | "unlimited";
    bank_coins?: Heap;
    swap_any?: boolean;
    swap_order?: "reverse" | "round";
    round_order?: "alternate" | "same";
    swap_consent?: boolean;
  }
  // A player's sealed choice for this round.
  interface Commit {
    do: "commit";
    seat: string;
    action: "pass" | "protect" | "steal";
    target?: string | null;
    amount?: number | null;
  }
  // All choices are opened and settled at once.
  interface Reveal {
    do: "reveal";
  }
  // House rules of What Goes Around.
  interface GoesAroundOptions {
    players?: number;
    start?: number;
    rounds?: number;
    strict_wipeout?: boolean;
    zero_is_out?: boolean;
    stake_cap?: boolean;
    hide_history?: boolean;
    tie?: "nobody" | "share";
    timeout?: number;
  }
  // A new character: `ratings` with `strong` (a trait) or `power`; or a saved one: `sheet` alone.
  interface Create {
    do: "create";
    name: string;
    ratings?: Points | null;
    misc_name?: string;
    strong?: TraitName | null;
    power?: PowerChoice | null;
    sheet?: Sheet | null;
  }
  // A number for each trait: ratings, the pennies of a scene's components, ranks. JSON leaves zeros out.
  interface Points {
    bodiness?: number;
    braininess?: number;
    personality?: number;
    coolness?: number;
    misc?: number;
  }
  // The five traits of a character; all but Coolness can also be components of a scene.
  type TraitName = "bodiness" | "braininess" | "coolness" | "misc" | "personality";
  // A power chosen instead of a Strong trait; `trait` for those linked to one.
  interface PowerChoice {
    name: PowerName;
    trait?: TraitName | null;
  }
  // The nine powers of the optional rules.
  type PowerName = "defensive" | "fast-learner" | "flamebait" | "grabby-hands" | "luck" | "offensive" | "so-cool" | "super-cool" | "super-trait";
  // A character between adventures: what is saved and brought along. Wounds and burns are left behind. `career` counts
  // all experience points ever had, `experience` those not spent yet. What the sheet shows must have been paid for:
  // points above 12, coin steps and ranks are worth one (the Strong trait or the first power) more than the experience
  // spent (coin-wars.create.sheet).
  interface Sheet {
    traits: SheetTraits;
    misc_name?: string;
    powers?: Powers;
    twelfths?: number;
    experience?: number;
    career?: number;
  }
  // All five at rest.
  interface SheetTraits {
    bodiness: SheetTrait;
    braininess: SheetTrait;
    personality: SheetTrait;
    coolness: SheetTrait;
    misc: SheetTrait;
  }
  // A trait at rest: its rating and its own coin.
  interface SheetTrait {
    rating: number;
    coin?: Denomination;
  }
  // Ranks by power; those linked to a trait have a rank for each: {"luck": 2, "offensive": {"bodiness": 3}}.
  interface Powers {
    luck?: number;
    "so-cool"?: number;
    offensive?: Points;
    defensive?: Points;
    flamebait?: number;
    "super-cool"?: number;
    "super-trait"?: Points;
    "grabby-hands"?: number;
    "fast-learner"?: number;
  }
  // A scene card: its pennies by component, `misc_name` for its Miscellaneous one, and the story.
  interface Write {
    do: "scene";
    name: string;
    components: Points;
    title?: string;
    text?: string;
    misc_name?: string;
  }
  // An author takes back a card that is not drawn yet: its place among all cards, from 0.
  interface Tear {
    do: "tear";
    name: string;
    scene: number;
  }
  // The table plays an adventure of the book instead of cards; `none`: the players write cards after all.
  interface TakeBook {
    do: "adventure";
    adventure: string;
  }
  // The cards drawn from the shuffled pile, in order: places among all cards, from 0. The adventure begins.
  interface Draw {
    do: "draw";
    order: Array<number>;
  }
  // Experience turned into a coin step, a rating or a rank of a power.
  interface Spend {
    do: "spend";
    name: string;
    on: Purchase;
  }
  // What experience is spent on: {"coin": trait}, {"rating": trait} or {"power": power} (with "trait" if linked).
  interface Purchase {
    coin?: TraitName | null;
    rating?: TraitName | null;
    power?: PowerName | null;
    trait?: TraitName | null;
  }
  // The player is done before the draw or the last scene, or wants no help before the exchange.
  interface Ready {
    do: "ready";
    name: string;
  }
  // The coins of one exchange, or the one coin that a power tosses again, with the faces they show.
  interface CoinWarsToss {
    do: "flip";
    name: string;
    component: TraitName;
    character?: Array<Coin>;
    scene?: Array<Coin>;
  }
  // Burn a coin to toss Coolness or Miscellaneous too in a component.
  interface Assist {
    do: "assist";
    name: string;
    burn: TraitName;
    add: TraitName;
    component: TraitName;
  }
  // Meet the scene's Miscellaneous component with `trait`: one's own Miscellaneous, or Coolness.
  interface CoinWarsAnswer {
    do: "answer";
    name: string;
    trait: TraitName;
  }
  // A power is used. Beyond `name` and `power`, each takes only the fields given here. Before an exchange: so-cool
  // `component`: where Coolness is tossed too, with nothing burnt On the coins just tossed, until the player accepts
  // them: luck `coin`: the own coin to toss again (`side` "scene" for one of the scene's, house rule luck_any)
  // flamebait `coin`: the own coin to replace; `into`: the kind of coin burnt, which is tossed instead grabby-hands
  // `take` and `give`: as many of the scene's coins as of one's own, with their faces offensive, defensive nothing;
  // they apply to the trait of the exchange After luck and flamebait one coin is due: a `flip` with that coin alone on
  // its side tells its new face.
  interface UsePower {
    do: "power";
    name: string;
    power: PowerName;
    component?: TraitName | null;
    coin?: Coin | null;
    side?: "character" | "scene";
    into?: Denomination | null;
    take?: Array<Coin>;
    give?: Array<Coin>;
  }
  // The player lets the exchange stand.
  interface Accept {
    do: "accept";
    name: string;
  }
  // What to do about a trait brought to 0.
  interface Choose {
    do: "choose";
    name: string;
    option: "burn" | "coolness" | "sit-out";
  }
  // The player tells how the scene went; an empty text means it was told aloud.
  interface Narrate {
    do: "narrate";
    name: string;
    text?: string;
  }
  // House rules of Coin Wars.
  interface CoinWarsOptions {
    players?: Array<string>;
    adventure?: string;
    powers?: "allowed" | "none";
    experience?: "allowed" | "none";
    customization?: number;
    scene_points?: number;
    harder_scenes?: "off" | "on";
    misc_cost?: "added" | "inside";
    misc_by?: "either" | "misc";
    force_mix?: "require" | "warn";
    burn_recovery?: "adventure" | "scene" | "split";
    burn_restore?: "before" | "full" | "one";
    zero_fails_scene?: boolean;
    assist_span?: "exchange" | "scene";
    cool_recovery?: "always" | "unused";
    defensive_recompute?: boolean;
    luck_any?: boolean;
    all_out?: "ends" | "skips";
    narration?: "required" | "skipped";
  }
  // The toss of one coin of each kind in the mover's bank.
  interface CoinAgeToss {
    do: "flip";
    coins: Array<Coin>;
  }
  // A matching coin onto a space, own side up.
  interface CoinAgePlace {
    do: "place";
    coin: Denomination;
    space: string;
  }
  // A matching coin to the opponent's bank, for a third placement.
  interface Pay {
    do: "pay";
    coin: Denomination;
  }
  // A whole stack to an empty neighbouring space.
  interface Move {
    do: "move";
    from: string;
    to: string;
  }
  // A top coin into the mover's own bank.
  interface Capture {
    do: "capture";
    space: string;
  }
  // The mover ends the turn.
  interface CoinAgeDone {
    do: "done";
  }
  // A mistake people make, never legal: a coin put down showing the other side.
  interface PlaceTurned {
    do: "place-turned";
    coin: Denomination;
    space: string;
  }
  // A mistake people make, never legal: only the top coin of a stack moved.
  interface Split {
    do: "split";
    from: string;
    to: string;
  }
  // House rules of Coin Age.
  interface CoinAgeOptions {
    map?: string;
    seed?: number | null;
    finish_turn?: boolean;
    sides?: "loser-picks" | "toss";
  }
  type StartBody = { game: "steal"; options?: StealOptions; seats?: Record<string, "computer" | "person">; level?: "easy" | "middle" | "strong"; bad_coin?: "all" | "alone"; names?: Record<string, string>; colours?: Record<string, "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet">; best_of?: 1 | 3 | 5 | 7; odds?: "after" | "always" | "off"; hints?: "always" | "never" | "practice"; undo?: "asked" | "free"; clock?: TimeControl | null } | { game: "exact"; options?: ExactOptions; seats?: Record<string, "computer" | "person">; level?: "easy" | "middle" | "strong"; bad_coin?: "all" | "alone"; names?: Record<string, string>; colours?: Record<string, "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet">; best_of?: 1 | 3 | 5 | 7; odds?: "after" | "always" | "off"; hints?: "always" | "never" | "practice"; undo?: "asked" | "free"; clock?: TimeControl | null } | { game: "goes-around"; options?: GoesAroundOptions; seats?: Record<string, "computer" | "person">; level?: "easy" | "middle" | "strong"; bad_coin?: "all" | "alone"; names?: Record<string, string>; colours?: Record<string, "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet">; best_of?: 1 | 3 | 5 | 7; odds?: "after" | "always" | "off"; hints?: "always" | "never" | "practice"; undo?: "asked" | "free"; clock?: TimeControl | null } | { game: "coin-wars"; options?: CoinWarsOptions; seats?: Record<string, "computer" | "person">; level?: "easy" | "middle" | "strong"; bad_coin?: "all" | "alone"; names?: Record<string, string>; colours?: Record<string, "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet">; best_of?: 1 | 3 | 5 | 7; odds?: "after" | "always" | "off"; hints?: "always" | "never" | "practice"; undo?: "asked" | "free"; clock?: TimeControl | null } | { game: "coin-age"; options?: CoinAgeOptions; seats?: Record<string, "computer" | "person">; level?: "easy" | "middle" | "strong"; bad_coin?: "all" | "alone"; names?: Record<string, string>; colours?: Record<string, "blue" | "copper" | "gold" | "green" | "olive" | "rose" | "slate" | "teal" | "violet">; best_of?: 1 | 3 | 5 | 7; odds?: "after" | "always" | "off"; hints?: "always" | "never" | "practice"; undo?: "asked" | "free"; clock?: TimeControl | null };
  type ActBody = DollarPrizeToss | DollarPrizePlace | Convert | DollarPrizeDone | Break | Keep | Add | Take | Swap | Skip | Agree | Refuse | Commit | Reveal | Create | Write | Tear | TakeBook | Draw | Spend | Ready | CoinWarsToss | Assist | CoinWarsAnswer | UsePower | Accept | Choose | Narrate | CoinAgeToss | CoinAgePlace | Pay | Move | Capture | CoinAgeDone | PlaceTurned | Split;
  type CorrectOrRereadBody = CorrectBody | RereadBody;
}
