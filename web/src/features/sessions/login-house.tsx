import styles from './login-house.module.css';

/** The picture beside the form: a house whose door is a folder; by night in the dark theme. */
export function LoginHouse() {
  return (
    <svg
      className={styles.house}
      viewBox="0 0 760 900"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <rect width="760" height="900" className={styles.sky} />
      <circle cx="566" cy="236" r="62" className={styles.sun} />
      <circle cx="590" cy="222" r="56" className={styles.shade} />
      <g className={styles.stars}>
        <circle cx="120" cy="150" r="2" />
        <circle cx="260" cy="90" r="1.5" />
        <circle cx="330" cy="210" r="2" />
        <circle cx="430" cy="120" r="1.5" />
        <circle cx="680" cy="110" r="2" />
        <circle cx="210" cy="290" r="1.5" />
        <circle cx="700" cy="330" r="1.5" />
        <circle cx="60" cy="330" r="1.5" />
      </g>
      <g className={styles.clouds} opacity=".9">
        <path d="M96 258c0-18 16-30 34-26 8-20 40-24 52-2 22-4 36 10 34 28Z" />
        <path d="M330 176c0-12 11-20 23-17 6-14 28-17 36-2 15-3 25 7 24 19Z" />
      </g>
      <path d="M0 560c130-90 260-96 400-40s250 44 360-20v400H0Z" className={styles.farHill} />
      <path d="M0 650c160-70 300-60 430-22s230 40 330 0v272H0Z" className={styles.nearHill} />
      <g className={styles.trunks} strokeWidth={13} strokeLinecap="round">
        <path d="M86 716V470M142 726V520M652 706V452M704 714V520" />
      </g>
      <g className={styles.bark} strokeWidth={4} strokeLinecap="round">
        <path d="M82 520h5M87 566h5M82 620h4M88 668h4M139 560h4M144 622h4M648 500h5M653 556h4M648 610h4M654 660h4M701 560h4M706 628h4" />
      </g>
      <g className={styles.crowns}>
        <ellipse cx="86" cy="440" rx="52" ry="74" />
        <ellipse cx="142" cy="500" rx="38" ry="56" />
        <ellipse cx="652" cy="424" rx="56" ry="80" />
        <ellipse cx="704" cy="496" rx="40" ry="60" />
      </g>
      <path
        d="M214 534c0-10 5-17 12-23l140-112c9-7 19-7 28 0l140 112c7 6 12 13 12 23v186H214Z"
        className={styles.wall}
      />
      <path
        d="M182 538 362 392c11-9 25-9 36 0l180 146"
        fill="none"
        className={styles.roof}
        strokeWidth={26}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M268 592c0-12 8-20 20-20h58c7 0 13 3 17 8l14 16h96c12 0 20 8 20 20v104H268Z"
        className={styles.folderBack}
      />
      <path d="M268 628h224c8 0 14 6 14 14l-2 78H266l-10-78c-1-8 4-14 12-14Z" className={styles.folder} />
      <path d="M360 720v-44c0-11 9-20 20-20s20 9 20 20v44Z" className={styles.door} />
      <circle cx="392" cy="692" r="3" className={styles.knob} />
      <g className={styles.window}>
        <rect x="352" y="470" width="56" height="56" rx="8" />
      </g>
      <path d="M380 470v56M352 498h56" className={styles.bars} strokeWidth={5} />
      <path d="M340 720h80l60 180H250Z" className={styles.path} />
      <path
        d="M0 760c120-36 220-40 330-40h110c120 0 220 10 320 50v130H0Z"
        className={styles.lawn}
        opacity=".55"
      />
    </svg>
  );
}
