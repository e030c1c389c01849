/** What the pages in other languages say. Each language has the same three pages. */
interface Translation {
  readonly title: string
  readonly paragraphs: readonly [string, ...ReadonlyArray<string>]
}

export const translations: Readonly<Record<string, Readonly<Record<"home" | "visit" | "delivery", Translation>>>> = {
  de: {
    home: {
      title: "Northmere, die Stadt am Wehr",
      paragraphs: [
        "Northmere liegt an zwei Flüssen und einem Kanal, und auf keiner Karte.",
        "Die Mühlen mahlen seit 1894, das Wehr wird von einem Programm bewacht, und dienstags ist Markt."
      ]
    },
    visit: {
      title: "Besuch und Öffnungszeiten",
      paragraphs: [
        "Die Alte Mühle ist von April bis Oktober täglich außer montags von 10 bis 17 Uhr geöffnet.",
        "Der Eintritt kostet 6,50 £, für Schülerinnen und Schüler die Hälfte. Hunde dürfen an der Leine mit."
      ]
    },
    delivery: {
      title: "Versand nach Deutschland",
      paragraphs: [
        "Pakete gehen dienstags und freitags ab und sind nach vier bis sieben Werktagen da.",
        "Bis 2 kg kostet der Versand 9,80 £. Zoll und Einfuhrumsatzsteuer zahlen Sie beim Empfang."
      ]
    }
  },
  fr: {
    home: {
      title: "Northmere, la ville du déversoir",
      paragraphs: [
        "Northmere se trouve entre deux rivières et un canal, et sur aucune carte.",
        "Les moulins tournent depuis 1894, un programme garde les vannes, et le marché a lieu le mardi."
      ]
    },
    visit: {
      title: "Visite et horaires",
      paragraphs: [
        "Le vieux moulin est ouvert tous les jours sauf le lundi, d’avril à octobre, de 10 h à 17 h.",
        "L’entrée coûte 6,50 £ ; les élèves paient la moitié. Les chiens sont admis en laisse."
      ]
    },
    delivery: {
      title: "Livraison en France",
      paragraphs: [
        "Les colis partent le mardi et le vendredi et arrivent en quatre à sept jours ouvrés.",
        "Jusqu’à 2 kg, le port coûte 9,80 £. Les droits de douane sont payés à la réception."
      ]
    }
  },
  ja: {
    home: {
      title: "堰の町ノースミア",
      paragraphs: [
        "ノースミアは二つの川と一本の運河のほとりにあり、どの地図にも載っていません。",
        "水車は一八九四年から回り続け、水門はプログラムが見守り、火曜日には市が立ちます。"
      ]
    },
    visit: {
      title: "見学と開館時間",
      paragraphs: [
        "旧水車小屋は四月から十月まで、月曜日を除く毎日、十時から十七時まで開いています。",
        "入場料は六ポンド五十ペンス、学生は半額です。犬はひもをつければ入れます。"
      ]
    },
    delivery: {
      title: "日本への発送",
      paragraphs: [
        "荷物は火曜日と金曜日に発送し、七日から十日ほどで届きます。",
        "二キロまでの送料は十二ポンドです。関税は受け取りの際にお支払いください。"
      ]
    }
  },
  ar: {
    home: {
      title: "نورثمير، مدينة السد",
      paragraphs: [
        "تقع نورثمير بين نهرين وقناة، ولا تظهر على أي خريطة.",
        "تدور الطواحين منذ عام 1894، ويحرس برنامج بوابات الماء، ويقام السوق يوم الثلاثاء."
      ]
    },
    visit: {
      title: "الزيارة وأوقات العمل",
      paragraphs: [
        "الطاحونة القديمة مفتوحة من أبريل إلى أكتوبر كل يوم ما عدا الاثنين، من العاشرة حتى الخامسة.",
        "ثمن التذكرة ستة جنيهات ونصف، وللطلاب نصف الثمن. يسمح بالكلاب المقيدة."
      ]
    },
    delivery: {
      title: "الشحن إلى الخارج",
      paragraphs: [
        "ترسل الطرود يومي الثلاثاء والجمعة وتصل خلال عشرة أيام عمل.",
        "أجرة الشحن حتى كيلوغرامين اثنا عشر جنيها. تدفع الرسوم الجمركية عند الاستلام."
      ]
    }
  }
}
